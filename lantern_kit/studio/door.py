"""Who is let into the review: whoever shows its token once, and then the same browser."""

from __future__ import annotations

import hmac
from typing import Any

from jupyter_server.auth.identity import IdentityProvider, User
from jupyter_server.auth.login import LoginFormHandler

from lantern_kit.studio.request import language_of

WORDS = {
    "en": {
        "title": "Review",
        "why": "This review is on this computer, for whoever started it.",
        "how": "The terminal in which it was started shows a link that lets you in, and remembers this browser. "
        "Or type the token from that link:",
        "label": "Token",
        "open": "Open the review",
        "wrong": "That is not the token of this review.",
    },
    "zh": {
        "title": "审阅",
        "why": "这个审阅页面在本机上，供启动它的人使用。",
        "how": "启动它的终端里有一个链接，打开即可进入，并会记住这个浏览器。也可以输入该链接中的令牌：",
        "label": "令牌",
        "open": "打开审阅",
        "wrong": "这不是此审阅的令牌。",
    },
}


class Doorkeeper(IdentityProvider):
    """Lets in whoever shows the token; there are no names and no passwords."""

    @property
    def login_available(self) -> bool:
        """There is a page that asks for the token."""
        return True

    @property
    def auth_enabled(self) -> bool:
        """Nobody comes in without."""
        return True

    def get_handlers(self) -> list[tuple[str, object]]:
        """The page that asks for the token."""
        return [("/login", Door)]

    def process_login_form(self, handler: Any) -> User | None:
        """Whoever typed the token."""
        typed = handler.get_body_argument("typed", "").strip()
        right = bool(self.token) and hmac.compare_digest(typed.encode(), str(self.token).encode())
        return self.generate_anonymous_user(handler) if right else None


class Door(LoginFormHandler):
    """The page that asks for the token."""

    def _render(self, message: dict[str, str] | None = None) -> None:
        following = self.get_argument("next", default=self.base_url)
        query = following.partition("?")[2]
        language = language_of(query, self.request.headers.get("Accept-Language", ""))
        page = self.settings["voila_jinja2_env"].get_template("door.html")
        self.set_header("Cache-Control", "no-store")
        self.write(
            page.render(
                language=language,
                words=WORDS[language],
                wrong=message is not None,
                following=following,
                xsrf=self.xsrf_token.decode(),
            )
        )
