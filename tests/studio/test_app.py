"""The review as an app: who is let in, what is shown, and what cannot be reached through it."""

from __future__ import annotations

import html
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from websockets.exceptions import InvalidStatus

from lantern_kit.studio.app import MESSAGE
from tests.studio.conftest import PICTURE, Served
from tests.studio.site import Visitor, kernel_of, message, reply

pytestmark = pytest.mark.lab


# who is let in


def test_whoever_has_no_token_is_led_to_the_door_and_then_where_they_wanted(served: Served) -> None:
    visitor = served.visitor()
    answer = visitor.get("/?proposal=p2")
    assert (answer.status, answer.location) == (302, "/login?next=%2F%3Fproposal%3Dp2")
    door = visitor.get(answer.location)
    assert door.status == 200
    assert "How to decide" not in door.text
    xsrf = visitor.cookies["_xsrf"]
    wrong = visitor.send(answer.location, {"typed": "guess", "_xsrf": xsrf})
    assert (wrong.status, "not the token" in wrong.text) == (401, True)
    assert visitor.get("/").status == 302
    right = visitor.send(answer.location, {"typed": f" {served.token} ", "_xsrf": xsrf})
    assert (right.status, right.location) == (302, "/?proposal=p2")
    assert visitor.get("/login").location == "/"


@pytest.mark.parametrize(
    ("language", "said"), [("zh-CN,zh;q=0.9,en;q=0.8", "令牌"), ("de,en;q=0.5,zh;q=0.1", "Token"), ("", "Token")]
)
def test_the_door_speaks_the_visitor_s_language(language: str, said: str, served: Served) -> None:
    assert said in served.visitor().get("/login", Accept_Language=language).text
    assert "令牌" in served.visitor().get("/login?next=%2F%3Flang%3Dzh", Accept_Language=language).text


def test_a_form_that_another_site_sent_is_refused(served: Served) -> None:
    assert served.visitor().send("/login", {"typed": served.token}).status == 403


@pytest.mark.parametrize("elsewhere", ["//evil.example/", "https://evil.example/", "/\\evil.example"])
def test_the_door_leads_nowhere_else(elsewhere: str, served: Served) -> None:
    visitor = served.visitor()
    visitor.get("/login")
    answer = visitor.send(f"/login?next={elsewhere}", {"typed": served.token, "_xsrf": visitor.cookies["_xsrf"]})
    assert answer.status == 302
    assert answer.location == "/" or answer.location.startswith("/%5C")


def test_a_link_with_the_token_lets_in_once_and_is_rid_of_it(served: Served) -> None:
    visitor = served.visitor()
    answer = visitor.get(f"/?token={served.token}&proposal=p2&lang=zh")
    assert (answer.status, answer.location) == (302, "/?proposal=p2&lang=zh")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert served.token not in cookie
    assert visitor.get("/login").location == "/"
    assert served.visitor().get("/?token=guess").location.startswith("/login")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}"])
def test_another_host_is_refused(host: str, served: Served) -> None:
    assert served.guest().get("/", Host=host.format(port=served.port)).status == 403


@pytest.fixture(scope="module")
def page(served: Served) -> tuple[Visitor, str]:
    """Somebody who was let in, and the page that they see."""
    visitor = served.guest()
    answer = visitor.get("/?proposal=p2", Accept_Language="en-GB")
    assert answer.status == 200
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    return visitor, answer.text


def test_a_kernel_is_reached_only_by_who_was_let_in_and_from_the_page_itself(
    page: tuple[Visitor, str], served: Served
) -> None:
    visitor, text = page
    kernel = kernel_of(text)
    here = f"http://127.0.0.1:{served.port}"
    with visitor.socket(kernel, origin=here) as socket:
        socket.send(message("kernel_info_request", {}))
        assert reply(socket, "kernel_info_reply")["status"] == "ok"
    for somebody, origin in ((visitor, "http://evil.example"), (Visitor(served.port), here)):
        with pytest.raises(InvalidStatus) as refused:
            somebody.socket(kernel, origin=origin)
        assert refused.value.response.status_code == 403
    stranger = Visitor(served.port)
    assert stranger.get(f"/api/kernels/{kernel}").status in {302, 403}
    assert stranger.ask("POST", f"/voila/api/shutdown/{kernel}").status == 403
    assert stranger.ask("DELETE", f"/api/kernels/{kernel}").status == 403


def test_a_browser_cannot_have_code_run(page: tuple[Visitor, str], served: Served) -> None:
    visitor, text = page
    target = served.folder / "made by code"
    with visitor.socket(kernel_of(text)) as socket:
        socket.send(message("execute_request", {"code": f"open({str(target)!r}, 'w')", "silent": False}))
        socket.send(message("comm_info_request", {}))
        assert reply(socket, "comm_info_reply")["status"] == "ok"
    assert not target.exists()


def test_a_message_of_more_than_jupyter_s_ten_megabytes_arrives(page: tuple[Visitor, str]) -> None:
    visitor, text = page
    assert MESSAGE > 12_000_000
    with visitor.socket(kernel_of(text)) as socket:
        socket.send(message("kernel_info_request", {}, filling="x" * 12_000_000))
        assert reply(socket, "kernel_info_reply")["status"] == "ok"


# what is shown


def test_the_page_shows_prose_and_results_and_no_code(page: tuple[Visitor, str], served: Served) -> None:
    _, text = page
    assert "<title>Review · &lt;Chelsea&gt;</title>" in text
    assert "How to decide" in text
    assert "For notebooks alone" not in text
    assert "hidden_name" not in text
    assert "proposal='p2'" in html.unescape(text)
    assert f"here {served.folder}" in text


def test_a_token_never_comes_to_a_kernel(served: Served) -> None:
    visitor = served.visitor()
    answer = visitor.get(f"/?token={served.token}")
    text = visitor.get(answer.location).text
    assert "told []" in text
    assert "with []" in text
    assert served.token not in text


def test_the_page_takes_nothing_from_any_other_host(page: tuple[Visitor, str]) -> None:
    _, text = page
    loaded = re.findall(r"""(?:src|href|action)\s*=\s*["']?((?:https?:)?//[^"'\s>]+)""", text)
    assert loaded == []
    assert re.findall(r"import\(|@import", text) == []


def test_the_page_is_in_the_language_and_the_theme_asked_for(served: Served) -> None:
    text = served.guest().get("/?lang=zh&theme=dark").words
    assert "如何裁决" in text
    assert "How to decide" not in text
    assert "theme-dark.css" in text
    assert "theme-light.css" not in text
    assert "language='zh'" in text


@pytest.mark.parametrize("path", ["/elsewhere", "/tree", "/voila/tree", "/api/contents", "/api/sessions"])
def test_there_is_nothing_else(path: str, served: Served) -> None:
    assert served.guest().get(path).status == 404


def test_no_file_beside_the_notebook_is_served(served: Served) -> None:
    for visitor in (served.visitor(), served.guest()):
        for name in (PICTURE, "stand-in.ipynb", "../voila.py"):
            assert visitor.get(f"/voila/files/{name}").status in {403, 404}


@pytest.mark.parametrize(
    "path",
    [
        "x",
        "lab/static/..%2f..%2findex.html.j2",
        "base/../../../x",
        "..%2fstatic%2fx",
        "nowhere/static/x",
        "lab/other/x",
    ],
)
def test_an_address_that_names_no_part_of_the_page_is_not_there_and_no_failure(path: str, served: Served) -> None:
    assert served.visitor().get(f"/voila/templates/{path}").status in {403, 404}


def test_no_code_that_lies_where_it_was_started_is_run(served: Served) -> None:
    assert served.guest().get("/login").status == 302
    assert not (served.folder.parent / "ran").exists()


# how it ends


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_with_its_kernels(told: signal.Signals, serve: Callable[..., Served]) -> None:
    served = serve("print('alive')")
    assert "alive" in served.guest().get("/").text
    kernels = psutil.Process(served.process.pid).children(recursive=True)
    assert kernels
    served.process.send_signal(told)
    out, _ = served.process.communicate(timeout=60)
    assert (served.process.returncode, out) == (0, "ended\n")
    _, left = psutil.wait_procs(kernels, timeout=30)
    assert left == []


def test_a_port_that_is_taken_is_refused_in_words(served: Served, tmp_path: Path) -> None:
    program = Path(__file__).with_name("serve_stand_in.py")
    notebook = served.folder.parent / "stand-in.ipynb"
    done = subprocess.run(
        [sys.executable, str(program), str(notebook), str(tmp_path), str(served.port)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(program.parents[2]), "HOME": str(tmp_path)},
    )
    assert done.returncode == 1
    assert f"port {served.port} is in use" in done.stderr


def test_an_error_of_the_kit_is_shown_in_words(serve: Callable[..., Served]) -> None:
    error = "NotFound('p9 is not here', recovery='List the proposals.')"
    served = serve(f"from lantern_kit.kernel.errors import NotFound\nraise {error}")
    text = json.dumps(served.guest().get("/").text)
    assert "p9 is not here" in text
    assert "List the proposals." in text
    assert "Traceback" not in text
