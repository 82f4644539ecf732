/** Returns the files that were dropped or pasted. From folders, returns only the GIF and WebP files, at any depth. */
export function filesIn(data: DataTransfer): Promise<File[]> {
  // The data can only be read before the event ends.
  const files = [...data.files];
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (!entries.some(({ isDirectory }) => isDirectory)) return Promise.resolve(files);
  return Promise.all(entries.map(filesOf)).then((found) => picturesIn(found.flat()));
}

/** Returns those files that have the ending of a GIF or WebP. */
export function picturesIn(files: readonly File[]): File[] {
  return files.filter(({ name }) => /\.(?:gif|webp)$/i.test(name));
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) return [await new Promise<File>((found, lost) => (entry as FileSystemFileEntry).file(found, lost))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // A browser returns the entries of a folder in parts, and an empty part at the end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((found, lost) => reader.readEntries(found, lost));
    if (part.length === 0) return files;
    for (const inner of part) files.push(...(await filesOf(inner)));
  }
}
