import { createHash } from 'node:crypto'
import type { BlobStore } from '@gateleg/domain/attachments/blob-store'
import { describe, expect, it } from 'vitest'

/** The bytes in pieces of a length each. */
export async function* piecesOf(bytes: Uint8Array, length = 1_000): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) {
    yield bytes.subarray(start, start + length)
  }
}

async function joined(pieces: AsyncIterable<Uint8Array> | undefined): Promise<Buffer | undefined> {
  if (!pieces) return undefined
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

/** Declares what every BlobStore promises. Takes what opens an empty one. */
export function blobStoreContract(name: string, openStore: () => Promise<BlobStore>): void {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 251))
  const digestOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
  const listed = async (store: BlobStore) => {
    const paths: string[] = []
    for await (const page of store.list()) paths.push(...page.map(({ path }) => path))
    return paths.toSorted()
  }

  describe(`every BlobStore: ${name}`, () => {
    it('[BLOB-1] gives back what was put, and tells its digest and size', async () => {
      const store = await openStore()
      for (const content of [bytes, Buffer.from('text'), Buffer.alloc(0)]) {
        const { path, digest, size } = await store.put(piecesOf(content))
        expect([digest, size]).toEqual([digestOf(content), content.length])
        expect(path).toMatch(/^[0-9a-zA-Z-]{1,128}$/)
        expect(await joined(await store.read(path))).toEqual(content)
      }
    })

    it('[BLOB-1] gives the part of a blob that is asked for', async () => {
      const store = await openStore()
      const { path } = await store.put(piecesOf(bytes))
      for (const [first, last] of [
        [0, 0],
        [0, 199_999],
        [65_535, 65_536],
        [199_999, 199_999],
        [70_000, 150_000],
      ] as const) {
        const part = await joined(await store.read(path, { first, last }))
        expect(part).toEqual(bytes.subarray(first, last + 1))
      }
    })

    it('[BLOB-12] lists for whom a blob was put, and of others that nobody is told of', async () => {
      const store = await openStore()
      const mine = await store.put(piecesOf(bytes), '0123abcd')
      const theirs = await store.put(piecesOf(bytes), 'ffffffff')
      const anybodys = await store.put(piecesOf(bytes))
      const owners = new Map<string, string | undefined>()
      for await (const page of store.list()) {
        for (const { path, owner } of page) owners.set(path, owner)
      }
      expect(Object.fromEntries(owners)).toEqual({
        [mine.path]: '0123abcd',
        [theirs.path]: 'ffffffff',
        [anybodys.path]: undefined,
      })
      for (const { path } of [mine, theirs, anybodys]) {
        expect(path).toMatch(/^[0-9a-zA-Z-]{1,128}$/)
        expect(await joined(await store.read(path))).toEqual(bytes)
        await store.remove(path)
        expect(await store.read(path)).toBeUndefined()
      }
    })

    it('[BLOB-2] never gives two blobs one path, whatever their bytes', async () => {
      const store = await openStore()
      const puts = await Promise.all(Array.from({ length: 20 }, () => store.put(piecesOf(bytes))))
      expect(new Set(puts.map(({ path }) => path)).size).toBe(20)
      await Promise.all(puts.slice(1).map(({ path }) => store.remove(path)))
      expect(await joined(await store.read(puts[0]?.path ?? ''))).toEqual(bytes)
    })

    it('[BLOB-3] keeps nothing of bytes that break off, and throws what broke them off', async () => {
      const store = await openStore()
      const reason = new Error('gone')
      async function* breaking() {
        yield bytes
        throw reason
      }
      await expect(store.put(breaking())).rejects.toBe(reason)
      expect(await listed(store)).toEqual([])
    })

    it('[BLOB-4] has nothing under paths that it never gave, whatever they look like', async () => {
      const store = await openStore()
      const { path } = await store.put(piecesOf(bytes))
      for (const other of [
        ...['', '.', '..', '/', '../secret', '..%2fsecret', `../${path}`, `./${path}`, `${path}/`],
        ...[`${path}\0`, `${path}.part`, path.toUpperCase(), path.slice(1), `${path}0`],
        ...['/etc/passwd', 'C:\\secret', 'con', 'nul', 'a'.repeat(10_000), '\ud800', 'incoming'],
      ]) {
        expect(await store.read(other)).toBeUndefined()
        await store.remove(other)
      }
      expect(await joined(await store.read(path))).toEqual(bytes)
    })

    it('[BLOB-5] removes blobs, and lists those that are there with the time when they were put', async () => {
      const store = await openStore()
      const texts = ['a', 'b', 'c'].map((text) => Buffer.from(text))
      const puts = await Promise.all(texts.map((text) => store.put(piecesOf(text))))
      const paths = puts.map(({ path }) => path)
      expect(await listed(store)).toEqual(paths.toSorted())
      await store.remove(paths[1] ?? '')
      await store.remove(paths[1] ?? '')
      expect(await store.read(paths[1] ?? '')).toBeUndefined()
      expect(await listed(store)).toEqual([paths[0], paths[2]].toSorted())
      for await (const page of store.list()) {
        for (const { putTime } of page) {
          expect(Math.abs(Date.parse(putTime) - Date.now())).toBeLessThan(600_000)
        }
      }
    })

    it('[BLOB-6] who stops reading, or never begins, leaves the blob as it was', async () => {
      const store = await openStore()
      const { path } = await store.put(piecesOf(bytes))
      await store.read(path)
      for await (const _ of (await store.read(path)) ?? []) break
      expect(await joined(await store.read(path))).toEqual(bytes)
    })
  })
}
