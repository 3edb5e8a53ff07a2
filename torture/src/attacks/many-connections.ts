import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@gateleg/domain/limits'
import type { Attack, Target } from '../attack.ts'

/** More than one address may have. */
const connections = limits.connectionsPerAddress + 1_000

/** On loopback, which has many; others who are watched come from another one. */
const address = '127.0.0.2'

export const manyConnections: Attack = {
  name: 'many-connections',
  about: `${connections} connections from one address, some silent, some sending a byte of a head now and then`,
  isWholeOnly: true,
  run: async (target) => {
    const { say, fail } = target
    const sockets = []
    for (let made = 0; made < connections; made++) {
      sockets.push(connectFrom(target))
      if (made % 500 === 499) await pause(100)
    }
    await pause(1_000)
    const isOpen = (socket: Socket) => !socket.closed && socket.readable
    const openAtFirst = sockets.filter(isOpen).length
    if (openAtFirst === 0) return say('left out: there is no such address here')
    if (openAtFirst > limits.connectionsPerAddress) fail(`${openAtFirst} connections were taken`)
    // A byte every two seconds is not silence, and no head either.
    for (let second = 0; second < 30; second += 2) {
      for (const socket of sockets.slice(0, 500)) if (socket.writable) socket.write('x')
      await pause(2_000)
    }
    const openAtLast = sockets.filter(isOpen).length
    say(`${openAtFirst} were open at first, ${openAtLast} after the time for heads`)
    if (openAtLast > 0) fail(`${openAtLast} connections without a head were still open`)
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
