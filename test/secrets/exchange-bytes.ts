import { once } from 'node:events'
import { createConnection } from 'node:net'

/** Writes bytes to a server and ends; what it answers. */
export async function exchangeBytes(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = createConnection(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    answer += piece
  })
  socket.on('error', () => socket.destroy())
  socket.end(text)
  await once(socket, 'close')
  return answer
}
