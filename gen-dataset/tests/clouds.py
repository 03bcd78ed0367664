"""Serves an object store with a bucket `weft` on 127.0.0.1: `clouds.py s3|gs|az PORT`. Prints `ready` when it serves."""

import os
import socket
import sys
import time
from email.utils import formatdate
from threading import Event


def s3(port):
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    client = boto3.client(
        "s3",
        endpoint_url=f"http://127.0.0.1:{port}",
        region_name="us-east-1",
        aws_access_key_id="weft",
        aws_secret_access_key="weft",
    )
    client.create_bucket(Bucket="weft")
    print("ready", flush=True)
    Event().wait()


def gs(port):
    from gcp_storage_emulator import server

    class Request(server.Request):
        """Accepts empty objects, as the real service does."""

        @property
        def data(self):
            return super().data or b""

    class Response(server.Response):
        """Adds headers that the real service sends with every object and the emulator does not."""

        def __init__(self, handler):
            super().__init__(handler)
            self["ETag"] = '"1"'
            self["Last-Modified"] = formatdate(usegmt=True)

    server.Request, server.Response = Request, Response
    serving = server.create_server("127.0.0.1", port, in_memory=True, default_bucket="weft")
    serving.start()
    print("ready", flush=True)
    Event().wait()


def az(port):
    from azure.storage.blob import BlobServiceClient

    if os.fork() == 0:
        while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
            time.sleep(0.1)
        account = {"account_name": "weft", "account_key": "d2VmdA=="}
        BlobServiceClient(f"http://127.0.0.1:{port}/weft", credential=account).create_container("weft")
        print("ready", flush=True)
        os._exit(0)
    # Replaces this process, so that ending it ends the server.
    azurite = os.path.join(sys.prefix, "../node/node_modules/azurite/dist/src/blob/main.js")
    options = ["--inMemoryPersistence", "--silent", "--disableTelemetry", "--skipApiVersionCheck"]
    options += ["--blobHost", "127.0.0.1", "--blobPort", str(port)]
    os.execvpe("node", ["node", azurite, *options], {**os.environ, "AZURITE_ACCOUNTS": "weft:d2VmdA=="})


{"s3": s3, "gs": gs, "az": az}[sys.argv[1]](int(sys.argv[2]))
