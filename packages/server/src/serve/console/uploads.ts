import path from 'node:path';

/** The folder with the files that operators add in the dashboard. */
export function uploadsIn(data: string): string {
  return path.join(data, 'uploads');
}
