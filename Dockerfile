# An image with Warpbook's wheel and a compiler: docker build -t warpbook . && docker run --rm -it -v "$PWD":/work warpbook
# In /work, `warpbook check 01` grades a workbook, `warpbook give-out labs` makes one, `warpbook sim program.cu` runs a program.
FROM debian:12 AS wheel
COPY . /source
WORKDIR /source
RUN sh common/wheel/build.sh /wheels

FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git g++ python3 python3-venv && rm -rf /var/lib/apt/lists/*
COPY --from=wheel /wheels /wheels
RUN python3 -m venv /opt/warpbook && /opt/warpbook/bin/pip install --no-cache-dir /wheels/*.whl && ln -s /opt/warpbook/bin/warpbook /usr/local/bin/
RUN useradd --create-home --shell /bin/bash student && mkdir /work && chown student /work
ENV PATH=/opt/warpbook/bin:$PATH VIRTUAL_ENV=/opt/warpbook
USER student
WORKDIR /work
