"""Files that leave the kit, one module a format, each imported when it is used.

cbz, comicinfo   a comic book archive, and the ComicInfo 2.0 sheet in it
pdf              a book for print; pdf_text, pdf_fonts its words, pdf_pictures, pdf_spool its pictures,
                 pdf_intent its colours, pdf_facts what it says of itself
raster, levels   pictures for print, a page each; greys, and black and white alone
sheets, halves   trim, bleed and marks of a page, halves of spreads and whose words are whose, page numbers
web_annotation   what people wrote about a chapter
report           what was written, and what the format could not hold
"""
