"""Times libraries for nearest vectors by cosine, on one thread.

Arguments: library, vectors (32-bit floats), queries (32-bit floats), dimensions, limit, rounds, folder. Prints a line of JSON
for each setting, and writes the numbers of the found vectors (int32, queries x limit) to a file in the folder.
"""

import importlib.metadata
import json
import os
import statistics
import sys
import time

import numpy as np

library, vectors, queries, dimensions, limit, rounds, folder = sys.argv[1:8]
dimensions, limit, rounds = int(dimensions), int(limit), int(rounds)
rows = np.fromfile(vectors, dtype=np.float32).reshape(-1, dimensions)
asked = np.fromfile(queries, dtype=np.float32).reshape(-1, dimensions)
BEAMS = [200, 400, 800, 1600, 3200]


def hnswlib_settings():
    import hnswlib

    index = hnswlib.Index(space="ip", dim=dimensions)
    index.init_index(max_elements=len(rows), M=32, ef_construction=200)
    index.set_num_threads(1)
    index.add_items(rows)
    for beam in BEAMS:

        def search(query, beam=beam):
            index.set_ef(beam)
            return index.knn_query(query, k=limit)[0][0]

        yield f"HNSW of 32-bit floats, M 32, ef {beam}", search


def faiss_settings():
    import faiss

    faiss.omp_set_num_threads(1)
    lists = int(4 * len(rows) ** 0.5)
    coarse = faiss.IndexFlatIP(dimensions)
    index = faiss.IndexIVFScalarQuantizer(
        coarse, dimensions, lists, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
    )
    index.train(rows[:: max(1, len(rows) // (lists * 64))])
    index.add(rows)
    for share in (0.05, 0.1, 0.15, 0.2, 0.3):
        probes = max(1, int(lists * share))

        def search(query, probes=probes):
            index.nprobe = probes
            return index.search(query.reshape(1, -1), limit)[1][0]

        yield f"IVF{lists},SQ8, nprobe {probes}", search
    graph = faiss.IndexHNSWSQ(dimensions, faiss.ScalarQuantizer.QT_8bit, 32, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efConstruction = 100
    graph.train(rows)
    graph.add(rows)
    for beam in BEAMS:

        def search_graph(query, beam=beam):
            graph.hnsw.efSearch = beam
            return graph.search(query.reshape(1, -1), limit)[1][0]

        yield f"HNSW32,SQ8, ef {beam}", search_graph


def usearch_settings():
    from usearch.index import Index

    index = Index(ndim=dimensions, metric="cos", dtype="i8", connectivity=32, expansion_add=200)
    index.add(np.arange(len(rows)), rows, threads=1)
    for beam in BEAMS:

        def search(query, beam=beam):
            index.expansion_search = beam
            return index.search(query, limit, threads=1).keys

        yield f"HNSW of 8-bit numbers, M 32, ef {beam}", search


def measure(setting, search, number):
    times = [[] for _ in asked]
    for round_ in range(-1, rounds):
        for i, query in enumerate(asked):
            start = time.perf_counter()
            found = search(query)
            if round_ >= 0:
                times[i].append((time.perf_counter() - start) * 1000)
    file = os.path.join(folder, f"{library}-{number}.i32")
    out = np.full((len(asked), limit), -1, dtype=np.int32)
    for i, query in enumerate(asked):
        found = search(query)
        out[i, : len(found)] = found
    out.tofile(file)
    medians = [statistics.median(each) for each in times]
    print(json.dumps({"setting": setting, "file": file, "medians": medians}), flush=True)


settings = {"hnswlib": hnswlib_settings, "faiss": faiss_settings, "usearch": usearch_settings}[library]
name = {"faiss": "faiss-cpu"}.get(library, library)
print(json.dumps({"version": importlib.metadata.version(name)}), flush=True)
for number, (setting, search) in enumerate(settings()):
    measure(setting, search, number)
