import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Attack, Target } from '../attack.ts'

/** More than one address may have. */
const connections = 5_000

/** On loopback, which has many; others who are watched come from another one. */
const address = '127.0.0.2'

export const manyConnections: Attack = {
  name: 'many-connections',
  about: `${connections} connections from one address, some silent, some sending a byte of a head now and then`,
  run: async (target) => {
    const { isShort, say, fail } = target
    const sockets = []
    for (let made = 0; made < (isShort ? 100 : connections); made++) {
      sockets.push(connectFrom(target))
      if (made % 500 === 499) await pause(100)
    }
    await pause(isShort ? 200 : 1_000)
    const isOpen = (socket: Socket) => !socket.closed && socket.readable
    const openAtFirst = sockets.filter(isOpen).length
    // A byte every two seconds is not silence, and no head either.
    for (let second = 0; second < (isShort ? 2 : 30); second += 2) {
      for (const socket of sockets.slice(0, 500)) if (socket.writable) socket.write('x')
      await pause(2_000)
    }
    const openAtLast = sockets.filter(isOpen).length
    say(`${openAtFirst} were open at first, ${openAtLast} after the time for heads`)
    if (!isShort && openAtLast > 0) fail(`${openAtLast} connections without a head were still open`)
    for (const socket of sockets) socket.destroy()
  },
}

function connectFrom({ url }: Target): Socket {
  const { hostname: host, port } = new URL(url)
  const socket = connect({ host, port: Number(port), localAddress: address })
  // The server may end it whenever it likes: that is what is asked for.
  socket.on('error', () => undefined)
  socket.resume()
  socket.write('GET /health HTTP/1.1\r\nHost: here\r\nX-Slow: ')
  return socket
}
