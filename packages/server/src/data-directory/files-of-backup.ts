import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { namedBlobs } from '@gateleg/adapters-sqlite/file/named-blobs'
import { syncFolder } from '@gateleg/adapters-sqlite/file/write-copy'
import { blobPathForm } from '@gateleg/engine/platform/blobs/blob-path'
import { blobFile } from '@gateleg/engine/platform/blobs/disk-blob-store'
import { writeAll } from '@gateleg/engine/platform/blobs/incoming-folder'

/** The folder beside a backup that holds the uploaded files. */
export function filesOfBackup(backup: string): string {
  return `${backup}.files`
}

/** What became of the uploaded files. */
export interface CopiedFiles {
  readonly copied: number
  /** Files that cells name and that are not where they should be, or aren't what they were. */
  readonly missing: number
}

/**
 * Copies the attached files that a backup names from one folder to another, both laid out as in the data directory,
 * and syncs them to the disk. Sound files that are there already stay. Each file is read completely, and left out
 * where its bytes don't have the digest in its name.
 */
export async function copyNamedFiles(
  backup: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<CopiedFiles> {
  let copied = 0
  let missing = 0
  const folders = new Set<string>()
  for (const { path, isAttached } of namedBlobs(backup)) {
    const isThere = await copyBlob(path, { from, to }, folders)
    if (isThere) copied++
    // What no cell has may have gone since.
    else if (isAttached) missing++
  }
  for (const folder of folders) syncFolder(folder)
  return { copied, missing }
}

/**
 * Links all files of a folder into a new one, without taking their room twice where that is possible: a file that is
 * removed from the first stays in the other. Returns whether there are any files.
 */
export async function keepFilesAside({
  from,
  to,
}: {
  readonly from: string
  readonly to: string
}): Promise<boolean> {
  const shards = existsSync(from) ? await readdir(from) : []
  let areSome = false
  for (const shard of shards.filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    const names = (await readdir(join(from, shard))).filter((name) => blobPathForm.test(name))
    if (names.length === 0) continue
    areSome = true
    await mkdir(join(to, shard), { recursive: true, mode: 0o700 })
    for (const name of names) await linkOrCopy(join(from, shard, name), join(to, shard, name))
    syncFolder(join(to, shard))
  }
  if (areSome) syncFolder(to)
  return areSome
}

/** Gives a file a second name; a copy where the file system has no such thing. One that is there stays. */
async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    await copyFile(source, target)
  }
}

/** Copies a blob, unless it is there, whole. Answers whether it is there then. */
async function copyBlob(
  path: string,
  { from, to }: { readonly from: string; readonly to: string },
  folders: Set<string>,
): Promise<boolean> {
  // A damaged file could name anything.
  const source = blobFile(from, path)
  const target = blobFile(to, path)
  if (source === undefined || target === undefined) return false
  const folder = dirname(target)
  if (existsSync(target) && path.startsWith(await digestOf(target))) return true
  if (!existsSync(source)) return false
  if (!folders.has(folder)) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    folders.add(to).add(folder)
  }
  const part = `${target}.part`
  try {
    await rm(part, { force: true })
    const { digest } = await writeAll(part, createReadStream(source), 'synced')
    if (!path.startsWith(digest)) return false
    await rename(part, target)
    return true
  } catch (error) {
    // It was removed meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(source)) return false
    throw error
  } finally {
    await rm(part, { force: true })
  }
}

/** The SHA-256 of the bytes of a file, in hexadecimal. */
async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const piece of createReadStream(file)) digest.update(piece)
  return digest.digest('hex')
}
