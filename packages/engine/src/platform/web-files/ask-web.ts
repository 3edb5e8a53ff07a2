import type { IncomingMessage, RequestOptions } from 'node:http'
import type { LookupFunction } from 'node:net'
import { limits } from '@gateleg/domain/limits'
import { versionOf } from './addresses.ts'
import { gatherAnswer } from './gather-answer.ts'
import { readInTurns } from './read-in-turns.ts'

/** Bytes that the headers of an answer may have. */
const headerBytes = 16 * 1024

/** What is asked, where it is more than what is at the URL. */
export interface WebQuestion {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Sends a request for the URL to the given addresses and nowhere else: the name is not looked up again, and no proxy
 * from the environment is used. Resolves when the headers have arrived. The signal ends it at any time. Whatever the server
 * sends, it is parsed a little at a time; one that says again and again that the answer is to come, or sends it in pieces of
 * a few bytes, is given up.
 */
export async function askWeb(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
  { method = 'GET', headers, body }: WebQuestion = {},
): Promise<IncomingMessage> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const options: RequestOptions & { readonly rejectUnauthorized: true } = {
    // An agent of its own, without what the environment says of proxies and without connections of others.
    agent: false,
    lookup: lookupIn(addresses),
    maxHeaderSize: headerBytes,
    // Whatever the environment says of that.
    rejectUnauthorized: true,
    signal,
    method,
    headers: {
      Accept: '*/*',
      ...headers,
      'Accept-Encoding': 'identity',
      'User-Agent': 'Gateleg',
      ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
    },
  }
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (answer) => {
      gatherAnswer(answer)
      // Who reads it hears of its end; nobody needs to who doesn't.
      answer.on('error', () => undefined)
      resolve(answer)
    })
    asked.on('error', reject)
    asked.on('socket', readInTurns)
    let announced = 0
    asked.on('information', () => {
      if (++announced > limits.fetchAnnouncements) {
        asked.destroy(new Error('The server says too often that it will answer'))
      }
    })
    // An answer that wants to speak another protocol is none.
    asked.on('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new Error('The server changed the protocol'))
    })
    asked.end(body)
  })
}

/** Gives a connection the addresses, whatever name it asks for. */
function lookupIn(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: versionOf(address) }))
  return (_name, { all }, answer) => {
    const [first = { address: '', family: 0 }] = found
    if (all) answer(null, found)
    else answer(null, first.address, first.family)
  }
}
