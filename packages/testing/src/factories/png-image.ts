import { crc32, deflateSync } from 'node:zlib'
import type { FileSource } from '@gateleg/domain/attachments/files/file-source'

/** A file of a grey PNG of so many pixels, each row as the one above: its bytes are few, however many pixels it has. */
export function pngFile(name: string, width: number, height: number, grey = 128): FileSource {
  const bytes = pngOf(width, height, grey)
  return {
    name,
    stream: async function* () {
      yield bytes
    },
  }
}

/** The bytes of such an image. */
export function pngOf(width: number, height: number, grey = 128): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width, grey)])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const data = chunk('IDAT', deflateSync(rows))
  return Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
