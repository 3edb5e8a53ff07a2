import { connect } from 'node:net'
import type pg from 'pg'

/** How long it is tried, in milliseconds: the server may not be there at all. */
const triedMsMax = 5_000

/** What a message begins with that has a statement cancelled, in place of the version of the protocol. */
const cancelCode = 80_877_102

/** What the driver knows of its connection, which its types leave out. */
interface Served {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

/**
 * Asks the server to give up what it runs for a connection, over another one, which it takes for that without encryption and
 * without a password. Nobody hears whether it does: it may have been done already.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = client as unknown as Served
  if (processID === null || secretKey === null) return
  const message = Buffer.alloc(16)
  for (const [index, number] of [message.length, cancelCode, processID, secretKey].entries()) {
    message.writeInt32BE(number, index * 4)
  }
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  const end = () => socket.destroy()
  socket.unref().setTimeout(triedMsMax, end).on('error', end)
  // The server closes it once it has read that.
  socket.write(message)
}
