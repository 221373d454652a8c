"""Who speaks in a paragraph, as far as words about speaking tell: English and Chinese."""

from __future__ import annotations

import re
from functools import lru_cache

_SAID = (
    "said|says|asked|asks|answered|answers|replied|replies|whispered|whispers|shouted|shouts|cried|cries|muttered|"
    "mutters|murmured|murmurs|called|calls|laughed|added|adds|agreed|began|continued|insisted|explained|snapped|sighed"
)
_NAME = r"[A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,2}"
_ENGLISH = re.compile(rf"(?:^|[^\w])(?:({_NAME}) (?:{_SAID})|(?:{_SAID}) ({_NAME}))(?![\w])")
_NOBODY = frozenset(
    {
        *("He", "She", "It", "They", "I", "We", "You", "Who", "One", "Two", "Both", "Neither", "Each", "Some", "Most"),
        *("Nobody", "Somebody", "Someone", "Everyone", "Everybody", "Another", "Others", "All", "Few", "Many"),
        *("The", "A", "An", "This", "That", "These", "Those", "His", "Her", "Its", "Their", "My", "Our", "Your"),
        *("Then", "There", "And", "But", "So", "As", "When", "While", "What", "Why", "How", "If", "No", "Yes", "Not"),
        *("Instead", "Finally", "Again", "Once", "Still", "Now", "Later", "Only", "Even", "Never", "Always"),
        *("Mother", "Father", "Perhaps", "Maybe"),
    }
)
_VERB = "(?:低声|轻声|大声|高声|小声|冷冷地|淡淡地|缓缓|连忙|突然|忽然|又|便|就|也|才|忙|接着|继续|微微|苦)*"
_SPOKE = f"{_VERB}(?:说道|说|问道|问|答道|回答|喊道|喊|叫道|笑道|骂道|叹道|应道|劝道|吼道|嘟囔|开口|道(?=[，：:。“「]))"
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金"
    "石戴贾韦夏邱方侯邹熊孟秦白江阎薛尹段雷黎史龙陶贺顾毛郝龚邵万钱严覃武莫孔汤"
)
_CHINESE = re.compile(rf"(?:^|[，。！？；、：“”「」『』\s])([{_SURNAMES}][一-鿿]{{1,2}}?)(?={_SPOKE})")
_NO_NAME = frozenset("地的着了嘴口头手眼声气身后前又也便就才忙")


@lru_cache(maxsize=512)
def _speaks(name: str) -> re.Pattern[str]:
    """What a name stands in where its bearer speaks."""
    own = re.escape(name)
    if name.isascii() or not any("一" <= character <= "鿿" for character in name):
        return re.compile(rf"(?<![\w]){own} (?:{_SAID})(?![\w])|(?<![\w])(?:{_SAID}) {own}(?![\w])")
    return re.compile(rf"{own}{_SPOKE}")


def speaks(name: str, paragraph: str) -> bool:
    """Whether a paragraph says that somebody of this name speaks."""
    return name in paragraph and _speaks(name).search(paragraph) is not None


def speaking_names(paragraph: str) -> list[str]:
    """Names that words about speaking go with, whoever bears them."""
    found = [first or last for first, last in _ENGLISH.findall(paragraph)]
    found = [name for name in found if re.split("[ ’']", name)[0] not in _NOBODY]
    return found + [name for name in _CHINESE.findall(paragraph) if not _NO_NAME.intersection(name[1:])]
