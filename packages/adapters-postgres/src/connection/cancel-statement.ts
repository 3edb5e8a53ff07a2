import type { Duplex } from 'node:stream'
import pg from 'pg'

/** How long it is tried, in milliseconds: the server may not be there at all. */
const triedMsMax = 5_000

/** What the driver knows of its connection, which its types leave out. */
interface Served {
  readonly host: string
  readonly port: number
  readonly processID: number | null
  readonly secretKey: number | null
}

/** The part of the driver's connection that is needed, which its types leave out as well. */
interface Wire extends NodeJS.EventEmitter {
  readonly stream: Duplex & { unref(): void; setTimeout(ms: number, end: () => void): void }
  connect(portOrPath: number | string, host?: string): void
  cancel(processID: number, secretKey: number): void
}

/**
 * Asks the server to give up what it runs for a connection, over another one, which it takes for that without encryption and
 * without a password. Nobody hears whether it does: it may have been done already.
 */
export function cancelStatement(client: pg.ClientBase): void {
  const { host, port, processID, secretKey } = client as unknown as Served
  if (processID === null || secretKey === null) return
  const wire = new pg.Connection() as unknown as Wire
  const end = () => wire.stream.destroy()
  // The server closes it once it has read that.
  wire.once('connect', () => wire.cancel(processID, secretKey)).on('error', end)
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
  else wire.connect(port, host)
  wire.stream.unref()
  wire.stream.setTimeout(triedMsMax, end)
}
