"""Novels as files, one module a form, each imported when it is used.

markdown   chapters, and the whole in one file: every paragraph as text, whatever it looks like
outline    the plan, in Markdown
bundle     a ZIP of metadata, outline and chapters      archive   ZIP files whose bytes depend on their content alone
epub       a book that readers and their software know: EPUB 3     docx   a document for word processors
"""
