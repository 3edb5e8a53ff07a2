import { piecesOf } from '@gateleg/testing/contracts/files/blob-store-contract'
import { MemoryBlobStore } from '@gateleg/testing/doubles/memory-blob-store'
import { expect, test } from 'vitest'
import { imageSizeOf } from '../files/image-size.ts'
import { putFile } from './put-file.ts'

const mostBytes = 1_000_000
const bytesOf = (text: string) => Buffer.from(text, 'latin1')

test.each([1, 7, 4_095, 4_096, 5_000, 100_000])(
  '[ATTACH-17] an image has its size behind a long part, in pieces of %d bytes',
  async (length) => {
    // A part of 60,000 bytes, then a frame of 40 by 30 pixels.
    const part = `\xff\xe1\xea\x60${'\0'.repeat(59_998)}`
    const jpeg = bytesOf(`\xff\xd8${part}\xff\xc2\0\x11\x08\0\x1e\0\x28${'\0'.repeat(100)}`)
    const { head, size } = await putFile(new MemoryBlobStore(), piecesOf(jpeg, length), mostBytes)
    expect(size).toBe(jpeg.length)
    expect(imageSizeOf(head, 'image/jpeg')).toEqual({ width: 40, height: 30 })
  },
)

test.each([10, 4_096, 200_000])(
  '[ATTACH-17] of a file that is no such image only the beginning is held, in pieces of %d bytes',
  async (length) => {
    const text = bytesOf('a,b\n'.repeat(50_000))
    const { head } = await putFile(new MemoryBlobStore(), piecesOf(text, length), mostBytes)
    expect(head).toEqual(new Uint8Array(text.subarray(0, 4_096)))
  },
)
