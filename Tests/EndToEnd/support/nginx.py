"""Debian's nginx before replicas that tests start."""

import getpass
import http.client
import pathlib
import subprocess

from service import PATIENCE, REPOSITORY, Client, free_port, until

DEPLOYED = REPOSITORY / "deploy/nginx"


class NginxProcess(Client):
    """A running nginx, which listens at a port, and a client of it."""

    def __init__(self, folder, port, configuration):
        super().__init__(port)
        self.folder = folder
        (folder / "nginx.conf").write_text(f"user {getpass.getuser()}; daemon off;\n{configuration}")
        self.process = subprocess.Popen(
            ["nginx", "-p", str(folder), "-e", f"{folder}/error.log", "-c", str(folder / "nginx.conf")]
        )
        until(self.listens, "nginx")

    def listens(self):
        assert self.process.poll() is None, self.logged()
        try:
            return self.get("/metrics")  # which deploy/nginx answers itself
        except (ConnectionError, http.client.HTTPException):
            return False

    def logged(self):
        return pathlib.Path(self.folder / "error.log").read_text()

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE)


class PlainNginx(NginxProcess):
    """nginx with the content of an `http` block."""

    def __init__(self, folder, port, content):
        kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        folders = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
        super().__init__(
            folder,
            port,
            f"pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
            f"http {{ access_log off; {folders}\n{content} }}",
        )


class Nginx(NginxProcess):
    """nginx with the configuration of deploy/nginx, before replicas at ports of this machine."""

    def __init__(self, folder, ports, rate="100000r/s", changes=()):
        """`changes` are pairs of what is written in titlecard.conf and what stands there instead."""
        port = free_port()
        replicas = "".join(f"server 127.0.0.1:{port} max_fails=0;\n" for port in ports)
        for name in ["titlecard.conf", "pictures.conf", "clients.conf"]:
            text = (DEPLOYED / name).read_text()
            if name == "titlecard.conf":
                for written, meant in changes:
                    assert written in text, written
                    text = text.replace(written, meant)
            for written, meant in [
                ("/etc/nginx/titlecard", str(folder)),
                ("/var/cache/nginx", str(folder / "cache")),
                ("listen 8080;", f"listen 127.0.0.1:{port};"),
                ("rate=20r/s", f"rate={rate}"),
            ]:
                text = text.replace(written, meant)
            (folder / name).write_text(text)
        (folder / "replicas.conf").write_text(replicas)
        (folder / "cache").mkdir()
        main = (DEPLOYED / "nginx.conf").read_text()
        for written, meant in [
            ("/tmp/", f"{folder}/"),
            ("/etc/nginx/titlecard", str(folder)),
            ("/dev/stderr", f"{folder}/error.log"),
            ("/dev/stdout", f"{folder}/access.log"),
        ]:
            assert written in main
            main = main.replace(written, meant)
        super().__init__(folder, port, main)
