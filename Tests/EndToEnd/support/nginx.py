"""Debian's nginx before replicas that tests start."""

import getpass
import http.client
import pathlib
import re
import subprocess

from service import PATIENCE, REPOSITORY, Client, free_port, until

DEPLOYED = REPOSITORY / "deploy/nginx"


class NginxProcess(Client):
    """A running nginx, which listens at a port, and a client of it."""

    def __init__(self, folder, port, configuration, before=()):
        """`before` is a command that runs another one."""
        super().__init__(port)
        self.folder = folder
        (folder / "nginx.conf").write_text(f"user {getpass.getuser()}; daemon off;\n{configuration}")
        self.process = subprocess.Popen(
            [*before, "nginx", "-p", str(folder), "-e", f"{folder}/error.log", "-c", str(folder / "nginx.conf")]
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

    def __init__(self, folder, replicas, rate="100000r/s", changes=(), metrics=9, disk=None,
                 clients=DEPLOYED / "clients.conf"):
        """Replicas are ports of this machine, or addresses.

        `changes` are pairs of what is written in deploy/nginx and what stands there instead; `metrics` is the port of
        `titlecard cache-metrics`. With `disk`, the caches have one of their own with so many bytes, for which root is
        needed.
        """
        port = free_port()
        addresses = [f"127.0.0.1:{replica}" if isinstance(replica, int) else replica for replica in replicas]
        names = ["titlecard.conf", "pictures.conf", "clients.conf", "caches.conf", "metrics.conf"]
        texts = {name: (DEPLOYED / name).read_text() for name in names} | {"clients.conf": clients.read_text()}
        for written, meant in [
            *changes,
            ("/etc/nginx/titlecard", str(folder)),
            ("/var/cache/nginx", str(folder / "cache")),
            ("/tmp/titlecard", f"{folder}/titlecard"),
            ("listen 8080;", f"listen 127.0.0.1:{port};"),
            ("rate=20r/s", f"rate={rate}"),
            ("rate=200r/s", f"rate={rate}"),
        ]:
            assert any(written in text for text in texts.values()), written
            texts = {name: text.replace(written, meant) for name, text in texts.items()}
        for name, text in texts.items():
            (folder / name).write_text(text)
        for name in ["replicas.conf", "replicas-again.conf"]:
            (written,) = re.findall("^server titlecard:8080 .*;$", (DEPLOYED / name).read_text(), re.M)
            (folder / name).write_text("\n".join(written.replace("titlecard:8080", one) for one in addresses))
        (folder / "cache").mkdir(exist_ok=True)
        main = (DEPLOYED / "nginx.conf").read_text()
        for written, meant in [
            ("/tmp/", f"{folder}/"),
            ("/etc/nginx/titlecard", str(folder)),
            ("/dev/stderr", f"{folder}/error.log"),
            ("/dev/stdout", f"{folder}/access.log"),
            ("172.28.0.3:9145", f"127.0.0.1:{metrics}"),
        ]:
            assert written in main
            main = main.replace(written, meant)
        mount = f'mount -t tmpfs -o size={disk} tmpfs {folder}/cache && exec "$@"'
        super().__init__(folder, port, main, ["unshare", "--mount", "sh", "-c", mount, "sh"] if disk else [])
