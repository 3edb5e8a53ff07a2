import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Target } from '../attack.ts'

const megabyte = 1024 * 1024

export const bodies: Attack = {
  name: 'bodies',
  about: 'bodies of 50 MB without a credential, with one, of nothing but brackets, and slow ones',
  run: async (target) => {
    const { token } = await target.newAttacker('sender')
    const size = target.isShort ? 2 * megabyte : 48 * megabyte
    const brackets = Buffer.from(`[${'{},'.repeat(size / 3)}{}]`)
    const json = { 'Content-Type': 'application/json' }
    const post = (path: string, body: string | Buffer, headers = {}) =>
      target.send({ method: 'POST', path, headers: { ...json, ...headers }, body })
    await Promise.all(Array.from({ length: 8 }, () => post('/api/auth/signin', brackets)))
    const authorized = { Authorization: `Bearer ${token}` }
    await Promise.all(Array.from({ length: 8 }, () => post('/api/space', brackets, authorized)))
    await post('/api/auth/signin', `{"email":"${'a@'.repeat(4 * megabyte)}","password":"x"}`)
    const blanks = ' '.repeat(target.isShort ? megabyte : 16 * megabyte)
    await post('/api/space', `{"name":"${blanks}"}`, authorized)
    await sendSlowly(target, token)
  },
}

/** Opens many uploads that send a byte now and then, and sees whether the server ends them. */
async function sendSlowly({ url, isShort, fail }: Target, token: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const head = `POST /api/space HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 40000000\r\n\r\n`
  const sockets = Array.from({ length: isShort ? 10 : 200 }, () => {
    const socket = connect(Number(port), hostname)
    // The server may end it whenever it likes: that is what is asked for.
    socket.on('error', () => undefined)
    socket.write(head)
    return socket
  })
  const seconds = isShort ? 2 : 40
  for (let second = 0; second < seconds; second++) {
    for (const socket of sockets) if (socket.writable) socket.write(' ')
    await pause(1_000)
  }
  const open = sockets.filter((socket) => !socket.closed && socket.readable).length
  if (!isShort && open > 0) fail(`${open} of ${sockets.length} slow bodies were still open`)
  for (const socket of sockets) socket.destroy()
}
