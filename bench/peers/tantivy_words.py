"""Times tantivy: any of the words, the best documents by BM25. One segment, frequencies without positions, one thread.

Arguments: documents (one a line), queries (one a line), folder, limit, rounds. Prints the median milliseconds of each query.
"""

import json
import os
import statistics
import sys
import time

import tantivy

documents, queries, folder, limit, rounds = sys.argv[1:6]

schema = tantivy.SchemaBuilder()
schema.add_text_field("body", stored=False, tokenizer_name="whitespace", index_option="freq")
os.makedirs(folder)
index = tantivy.Index(schema.build(), path=folder)
start = time.perf_counter()
writer = index.writer(heap_size=256_000_000, num_threads=1)
with open(documents, encoding="utf8") as lines:
    for line in lines:
        writer.add_document(tantivy.Document(body=line.rstrip("\n")))
writer.commit()
writer.wait_merging_threads()
index.reload()
seconds = time.perf_counter() - start
searcher = index.searcher()
size = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))

with open(queries, encoding="utf8") as lines:
    parsed = [index.parse_query(line.rstrip("\n"), ["body"]) for line in lines]
times = [[] for _ in parsed]
for round_ in range(-2, int(rounds)):
    for i, query in enumerate(parsed):
        start = time.perf_counter()
        searcher.search(query, int(limit), count=False)
        if round_ >= 0:
            times[i].append((time.perf_counter() - start) * 1000)
print(
    json.dumps(
        {
            "seconds": seconds,
            "bytes": size,
            "segments": searcher.num_segments,
            "medians": [statistics.median(each) for each in times],
        }
    )
)
