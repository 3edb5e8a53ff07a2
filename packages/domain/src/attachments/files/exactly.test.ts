import { expect, test } from 'vitest'
import { ServedFile } from '../served-file.ts'
import { exactly } from './exactly.ts'

async function* piecesOf(...lengths: number[]): AsyncGenerator<Uint8Array> {
  for (const length of lengths) yield new Uint8Array(length)
}

/** The lengths of the pieces that come, and with which code that ends. */
async function read(size: number, pieces: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const lengths: number[] = []
  try {
    for await (const piece of exactly(size, pieces)) lengths.push(piece.length)
    return [lengths, 'whole']
  } catch (error) {
    return [lengths, (error as { code: string }).code]
  }
}

test('[ATTACH-70] the bytes of a file come as they are where they are as many as they must be', async () => {
  expect(await read(0, piecesOf())).toEqual([[], 'whole'])
  expect(await read(0, piecesOf(0))).toEqual([[], 'whole'])
  expect(await read(7, piecesOf(4, 0, 3))).toEqual([[4, 3], 'whole'])
})

test('[ATTACH-70] fewer bytes than there must be, and more, are a failure, and nobody gets as many', async () => {
  expect(await read(7, piecesOf())).toEqual([[], 'service_busy'])
  expect(await read(7, piecesOf(4, 2))).toEqual([[4, 2], 'service_busy'])
  expect(await read(7, piecesOf(4, 4))).toEqual([[4], 'service_busy'])
  expect(await read(7, piecesOf(4, 3, 1))).toEqual([[4], 'service_busy'])
  expect(await read(0, piecesOf(1))).toEqual([[], 'service_busy'])
})

test('[ATTACH-70] a file that is served is counted so, whole and in part', async () => {
  const facts = { name: 'a', mimetype: 'text/plain', size: 7 }
  for (const range of [undefined, { first: 2, last: 8 }]) {
    const pieces = await new ServedFile(facts, async () => piecesOf(4, 2)).read(range)
    const reading = async () => {
      for await (const piece of pieces ?? []) expect(piece.length).toBeGreaterThan(0)
    }
    await expect(reading()).rejects.toMatchObject({ code: 'service_busy' })
  }
})
