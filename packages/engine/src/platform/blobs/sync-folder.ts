import { open } from 'node:fs/promises'

/** Syncs a folder to the disk, with the entries of new or renamed files. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows syncs entries by itself, and has no way to ask for it.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
