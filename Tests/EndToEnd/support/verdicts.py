"""Whether an answer is what a healthy process gives, or an error that no cache keeps: there is no third."""

import concurrent.futures
import http.client
import json
import threading

from service import PATIENCE, Answer

CLIENTS = 4


class Client:
    """One connection that is kept; it is opened again where the server closed it."""

    def __init__(self, service, timeout=PATIENCE):
        self.connection = http.client.HTTPConnection(service.host, service.port, timeout=timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def ask(self, request):
        """The answer to a target, or to a rendering's format and parameters.

        A connection that the server has closed in the meantime counts for nothing; one that it does not answer on
        raises OSError or HTTPException.
        """
        for last in (False, True):
            try:
                self.send(request)
                answer = self.connection.getresponse()
                return Answer(answer.status, answer.headers, answer.read())
            except ConnectionError:
                self.connection.close()
                if last:
                    raise
            except BaseException:
                self.connection.close()
                raise

    def send(self, request):
        if isinstance(request, str):
            return self.connection.request("GET", request)
        format, parameters = request
        body = json.dumps(parameters)
        self.connection.request("POST", f"/render.{format}", body, {"Content-Type": "application/json"})


def answers(service, requests, clients=CLIENTS, timeout=PATIENCE):
    """The answers to all requests, or the exception instead of one, by so many clients together.

    A client that waits in vain asks no more; requests that nobody is left to ask have None.
    """
    found = [None] * len(requests)
    indices, taking = iter(range(len(requests))), threading.Lock()

    def ask():
        with Client(service, timeout) as client:
            while True:
                with taking:
                    index = next(indices, None)
                if index is None:
                    return
                try:
                    found[index] = client.ask(requests[index])
                except TimeoutError as fault:
                    found[index] = fault
                    return
                except (OSError, http.client.HTTPException) as fault:
                    found[index] = fault

    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        for client in [pool.submit(ask) for _ in range(clients)]:
            client.result()
    return found


class Healthy:
    """What a healthy process answers to some requests."""

    def __init__(self, service, requests):
        self.requests = requests
        self.expected = answers(service, requests)
        for request, answer in zip(requests, self.expected):
            assert not isinstance(answer, Exception) and answer.status == 200, (request, answer)

    def is_right(self, index, answer):
        """Whether it is a healthy process's answer, byte for byte."""
        return isinstance(answer, Answer) and identity(answer) == identity(self.expected[index])

    def wrong(self, answers):
        """The request and response of each index at which the response is not right."""
        return [self.verdict(index, answer) for index, answer in enumerate(answers) if not self.is_right(index, answer)]

    def false(self, answers):
        """The request and response of each index at which the response is neither right nor an error.

        No answer at all is not false.
        """
        return [
            self.verdict(index, answer)
            for index, answer in enumerate(answers)
            if isinstance(answer, Answer) and not self.is_right(index, answer) and not is_refusal(answer)
        ]

    def verdict(self, index, answer):
        if not isinstance(answer, Answer):
            what = repr(answer)
        elif answer.status != 200:
            what = f"{answer.status} {answer.headers['Cache-Control']} {answer.text[:200]}"
        elif answer.body == self.expected[index].body:
            what = f"the same bytes under {answer.headers['ETag']}"
        else:
            tag = "the healthy" if answer.headers["ETag"] == self.expected[index].headers["ETag"] else "another"
            what = f"another picture of {len(answer.body)} bytes with {tag} ETag"
        return self.requests[index], what


def identity(answer):
    return answer.status, answer.headers["ETag"], answer.body


def is_refusal(answer):
    """Whether it is an error that no cache keeps."""
    return answer.status >= 400 and answer.headers["Cache-Control"] == "no-store"
