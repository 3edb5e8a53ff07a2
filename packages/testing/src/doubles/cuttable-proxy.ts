import { connect, createServer, type Server, type Socket } from 'node:net'

/** What a proxy does with what it is sent. */
type ProxyMode =
  /** Hands everything on. */
  | 'pass'
  /** Takes no connection and ends those there are. */
  | 'down'
  /** Takes everything and hands nothing on, like a machine that is gone from the net. */
  | 'silent'

/** Stands between a program and a server, to break their connections in chosen ways. */
export class CuttableProxy {
  readonly #server: Server
  readonly #pairs = new Set<readonly [client: Socket, upstream: Socket]>()
  #mode: ProxyMode = 'pass'
  #cutAt: string | undefined

  private constructor(server: Server) {
    this.#server = server
  }

  /** Listens on a free port of the loopback for connections to the server. */
  static async open(upstream: { readonly host: string; readonly port: number }) {
    const server = createServer()
    const proxy = new CuttableProxy(server)
    server.on('connection', (client) => proxy.#join(client, connect(upstream)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  set mode(mode: ProxyMode) {
    this.#mode = mode
    if (mode === 'down') this.#cutAll()
  }

  /** Hands on what holds the text, the next time it is sent, and then ends that connection unanswered. */
  cutAfter(text: string): void {
    this.#cutAt = text
  }

  async close(): Promise<void> {
    this.#cutAll()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #join(client: Socket, upstream: Socket): void {
    const pair = [client, upstream] as const
    this.#pairs.add(pair)
    let isCut = false
    const end = () => {
      this.#pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    if (this.#mode === 'down') {
      end()
      return
    }
    client.on('data', (data) => {
      if (this.#mode !== 'pass') return
      if (this.#cutAt !== undefined && data.includes(this.#cutAt)) {
        this.#cutAt = undefined
        isCut = true
      }
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (isCut) return end()
      if (this.#mode === 'pass') client.write(data)
    })
  }

  #cutAll(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
  }
}
