"""Debian's nginx with the configuration of deploy/nginx, before replicas that tests start."""

import getpass
import http.client
import pathlib
import subprocess

from service import PATIENCE, REPOSITORY, Service, free_port, until

DEPLOYED = REPOSITORY / "deploy/nginx"


class Nginx(Service):
    """A running nginx; a client of it is one of `Service`."""

    def __init__(self, folder, ports, rate="100000r/s"):
        self.host, self.port = "127.0.0.1", free_port()
        self.url = f"http://{self.host}:{self.port}"
        self.folder = folder
        replicas = "".join(f"server 127.0.0.1:{port} max_fails=0;\n" for port in ports)
        for name in ["titlecard.conf", "pictures.conf", "clients.conf"]:
            text = (DEPLOYED / name).read_text()
            for written, meant in [
                ("/etc/nginx/titlecard", str(folder)),
                ("/var/cache/nginx", str(folder / "cache")),
                ("listen 8080;", f"listen {self.host}:{self.port};"),
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
        (folder / "nginx.conf").write_text(f"user {getpass.getuser()}; daemon off;\n{main}")
        self.process = subprocess.Popen(
            ["nginx", "-p", str(folder), "-e", f"{folder}/error.log", "-c", str(folder / "nginx.conf")]
        )
        until(self.listens, "nginx")

    def listens(self):
        assert self.process.poll() is None, self.logged()
        try:
            return self.get("/metrics").status == 404
        except (ConnectionError, http.client.HTTPException):
            return False

    def logged(self):
        return pathlib.Path(self.folder / "error.log").read_text()

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE)
