import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.MMapDirectory;

/**
 * Times Lucene: any of the words, the best documents by BM25. One segment, term frequencies without positions, memory-mapped
 * files, no query cache, one thread. Arguments: documents (one a line), queries (one a line), folder, limit, rounds. Prints
 * the median milliseconds of each query as JSON.
 */
class Lucene {
  public static void main(String[] args) throws IOException {
    Path documents = Path.of(args[0]);
    List<String> queries = Files.readAllLines(Path.of(args[1]));
    int limit = Integer.parseInt(args[3]);
    int rounds = Integer.parseInt(args[4]);
    try (MMapDirectory folder = new MMapDirectory(Path.of(args[2]))) {
      long start = System.nanoTime();
      write(documents, folder);
      double seconds = (System.nanoTime() - start) / 1e9;
      long bytes = 0;
      for (String file : folder.listAll()) bytes += folder.fileLength(file);
      try (DirectoryReader reader = DirectoryReader.open(folder)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        double[] medians = time(searcher, queries, limit, rounds);
        System.out.printf("{\"seconds\":%.1f,\"bytes\":%d,\"medians\":%s}%n", seconds, bytes, java.util.Arrays.toString(medians));
      }
    }
  }

  static void write(Path documents, MMapDirectory folder) throws IOException {
    FieldType type = new FieldType();
    type.setTokenized(true);
    type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    type.freeze();
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer()).setRAMBufferSizeMB(256);
    try (IndexWriter writer = new IndexWriter(folder, config); var lines = Files.lines(documents)) {
      for (String line : (Iterable<String>) lines::iterator) {
        Document document = new Document();
        document.add(new Field("body", line, type));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  static double[] time(IndexSearcher searcher, List<String> queries, int limit, int rounds) throws IOException {
    List<Query> parsed = new ArrayList<>();
    for (String query : queries) {
      BooleanQuery.Builder any = new BooleanQuery.Builder();
      for (String word : query.split(" ")) any.add(new TermQuery(new Term("body", word)), BooleanClause.Occur.SHOULD);
      parsed.add(any.build());
    }
    double[][] times = new double[queries.size()][rounds];
    // The first rounds are not counted: Java compiles what runs often.
    for (int round = -3; round < rounds; round++) {
      for (int i = 0; i < parsed.size(); i++) {
        long start = System.nanoTime();
        searcher.search(parsed.get(i), limit);
        if (round >= 0) times[i][round] = (System.nanoTime() - start) / 1e6;
      }
    }
    double[] medians = new double[queries.size()];
    for (int i = 0; i < times.length; i++) {
      java.util.Arrays.sort(times[i]);
      medians[i] = times[i][rounds / 2];
    }
    return medians;
  }
}
