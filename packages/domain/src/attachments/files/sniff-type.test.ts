import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imageSizeOf } from './image-size.ts'
import { sniffType } from './sniff-type.ts'

const bytesOf = (text: string) => Buffer.from(text, 'latin1')
const zip = 'PK\x03\x04rest'

test.each([
  ['\x89PNG\r\n\x1a\n', 'a.html', 'image/png'],
  ['\xff\xd8\xff\xe0', 'a', 'image/jpeg'],
  ['GIF89a', 'a.js', 'image/gif'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'a', 'image/webp'],
  ['\0\0\0\x20ftypavif', 'a', 'image/avif'],
  ['\0\0\0\x20ftypisom', 'a', 'video/mp4'],
  ['%PDF-1.7', 'a.png', 'application/pdf'],
  [zip, 'a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  [zip, 'a.html', 'application/zip'],
  ['Name,Pages\n', 'a.csv', 'text/csv'],
  ['Name,Pages\n', 'a.png', 'text/plain'],
  ['', 'a', 'text/plain'],
  ['text', 'a.constructor', 'text/plain'],
  ['  <!DOCTYPE html><p>', 'a.txt', 'text/html'],
  ['hello <script>alert(1)</script>', 'a.txt', 'text/html'],
  ['\xef\xbb\xbf<?xml version="1.0"?><svg onload=x>', 'a.png', 'image/svg+xml'],
  ['<?xml version="1.0"?><a/>', 'a', 'application/xml'],
  ['a\0b', 'a.txt', 'application/octet-stream'],
  ['MZ', 'a.png', 'application/x-msdownload'],
])('[ATTACH-17] %j called %j is %s', (text, name, type) => {
  expect(sniffType(bytesOf(text), name)).toBe(type)
})

const size = { width: 40, height: 30 }
const webp = (text: string) => `RIFF\0\0\0\0WEBP${text}`

test.each([
  ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x28\0\0\0\x1e', size],
  ['image/gif', 'GIF89a\x28\0\x1e\0', size],
  ['image/bmp', `BM${'\0'.repeat(16)}\x28\0\0\0\xe2\xff\xff\xff`, size],
  ['image/jpeg', '\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08\0\x1e\0\x28', size],
  ['image/webp', webp('VP8X\0\0\0\0\0\0\0\0\x27\0\0\x1d\0\0'), size],
  ['image/webp', webp('VP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x28\0\x1e\0'), size],
  ['image/webp', webp(`VP8L\0\0\0\0\x2f\x27\x40\x07\0${'\0'.repeat(8)}`), size],
  [
    'image/avif',
    `\0\0\0\x14ispe\0\0\0\0\0\0\0\x14\0\0\0\x0f\0\0\0\x14ispe\0\0\0\0\0\0\0\x28\0\0\0\x1e`,
    size,
  ],
  ['image/avif', '\0\0\0\x14ispe\0\0\0\0\0\0\0\x28', undefined],
  ['image/png', '\x89PNG', undefined],
  ['image/gif', 'GIF89a\0\0\x1e\0', undefined],
  ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\xff\xff\xff\xff\0\0\0\x1e', undefined],
  ['image/jpeg', '\xff\xd8text and more', undefined],
  ['text/plain', 'text', undefined],
])('[ATTACH-17] the size of the %s %j', (type, text, expected) => {
  expect(imageSizeOf(bytesOf(text), type)).toEqual(expected)
})

test('[ATTACH-17] any bytes always have one type, and images a size or none', () => {
  const types = ['image/png', 'image/gif', 'image/bmp', 'image/jpeg', 'image/webp', 'image/avif']
  const starts = [
    '',
    '\xff\xd8',
    'RIFF\0\0\0\0WEBPVP8L',
    'RIFF\0\0\0\0WEBPVP8X',
    'GIF89a',
    'BM',
    '\0\0\0\x14ispe',
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom(...types),
      (start, rest, type) => {
        const bytes = Buffer.concat([bytesOf(start), rest])
        expect(sniffType(bytes, '')).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/)
        const found = imageSizeOf(bytes, type)
        if (found) {
          expect(found.width).toBeGreaterThan(0)
          expect(found.height).toBeLessThanOrEqual(1_000_000)
        }
      },
    ),
  )
})
