import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpApp, listen, openEngine, sqlite } from 'gateleg'
import { createClient } from 'gateleg/client'

/** A server with somebody signed up, ready to be called. */
export interface OwnServer {
  readonly url: string
  readonly token: string
  close(): Promise<void>
}

/** Milliseconds that requests under way get to be answered in at the end. */
const closeWithinMs = 5_000

/** Starts a server on a free port of this machine, over a file that goes when it is closed. */
export async function startOwnServer(): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  const engine = await openEngine({ storage: sqlite({ file: join(folder, 'airports.db') }) })
  const server = await listen({ app: createHttpApp(engine), host: '127.0.0.1', port: 0 })
  const { accessToken } = await createClient({
    baseUrl: `${server.url}/api`,
  }).accounts.signUp({ email: 'pilot@example.com', password: 'cleared for takeoff 1' })
  return {
    url: server.url,
    token: accessToken,
    close: async () => {
      await server.close(closeWithinMs)
      await engine.close()
      rmSync(folder, { recursive: true })
    },
  }
}
