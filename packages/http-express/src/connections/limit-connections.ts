import type { Server } from 'node:http'
import { limits } from '@gateleg/domain/limits'
import { toAddressBlock } from '@gateleg/domain/values/address-block'

/**
 * Closes connections of one address (for IPv6: network) beyond `limits.connectionsPerAddress` at once, so that nobody
 * uses up all the files that the process may have open. Trusted proxies may have any number.
 */
export function limitConnections(server: Server, isProxy: (address: string) => boolean): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress)) return
    const address = toAddressBlock(remoteAddress)
    const others = open.get(address) ?? 0
    if (others >= limits.connectionsPerAddress) {
      socket.destroy()
      return
    }
    open.set(address, others + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
