import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { gatherPieces } from './body-pieces.ts'

const server = createServer()

afterEach(() => {
  server.removeAllListeners('request')
  server.closeAllConnections()
  server.close()
})

/** Sends the body in these pieces, all in one go; answers the request as soon as its head has come. */
function arrived(pieces: readonly string[]): Promise<IncomingMessage> {
  return new Promise((resolve) => {
    server.once('request', (request, response) => {
      gatherPieces(request, response)
      resolve(request)
    })
    server.listen(0, '127.0.0.1', () => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.on('error', () => undefined)
      const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`)
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.write(`${chunks.join('')}0\r\n\r\n`)
    })
  })
}

test('[HTTP-96] short pieces are the same body, in their order, in few pieces', async () => {
  const pieces = Array.from({ length: 30_000 }, (_, n) =>
    n % 1_000 === 999 ? `${n} `.repeat(600) : `${n}`.padStart(2, '0'),
  )
  const request = await arrived(pieces)
  let count = 0
  request.on('data', () => count++)
  expect(await text(request)).toBe(pieces.join(''))
  expect(count).toBeLessThan(pieces.length / 100)
})

test('[HTTP-96] a body that nobody reads is held as it is, not piece by piece', async () => {
  const request = await arrived(new Array(20_000).fill('ab'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  const { readableLength } = request
  expect(readableLength).toBeGreaterThan(0)
  const held = (request as unknown as { _readableState: { buffer: unknown[] } })._readableState
  expect(held.buffer.filter((piece) => piece).length).toBeLessThan(readableLength / 100)
  expect(await text(request)).toBe('ab'.repeat(20_000))
})
