import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly items?: readonly unknown[] }
  readonly result?: unknown
}

/** What an editor asks the compiler, of programs in a folder that has a tsconfig.json. */
export class LanguageServer {
  readonly #root: string
  readonly #process: ChildProcessByStdio<Writable, Readable, null>
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #received: Buffer = Buffer.alloc(0)
  #lastId = 0

  constructor(root: string) {
    this.#root = root
    const compiler = join(import.meta.dirname, '../node_modules/.bin/tsc')
    this.#process = spawn(compiler, ['--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
    this.#process.stdout.on('data', (data: Buffer) => {
      this.#received = Buffer.concat([this.#received, data])
      for (let message = this.#next(); message; message = this.#next()) this.#take(message)
    })
  }

  async open(): Promise<void> {
    const rootUri = pathToFileURL(this.#root).href
    const capabilities = { textDocument: { hover: { contentFormat: ['plaintext'] } } }
    await this.#ask('initialize', { processId: process.pid, rootUri, capabilities })
    this.#send({ method: 'initialized', params: {} })
  }

  /** Shows the server a program; answers where each `│` of it was, for the questions. */
  show(name: string, text: string): readonly object[] {
    const parts = text.split('│')
    const uri = pathToFileURL(join(this.#root, name)).href
    const textDocument = { uri, languageId: 'typescript', version: 1, text: parts.join('') }
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } })
    return parts.slice(1).map((_, index) => {
      const lines = parts
        .slice(0, index + 1)
        .join('')
        .split('\n')
      const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
      return { textDocument: { uri }, position }
    })
  }

  /** What the editor offers at the place, sorted. */
  async offersAt(place: object): Promise<readonly string[]> {
    const result = (await this.#ask('textDocument/completion', place)) as {
      readonly items: readonly { readonly label: string }[]
    }
    return result.items.map(({ label }) => label).toSorted()
  }

  /** What the editor shows of the name at the place. */
  async shownAt(place: object): Promise<string> {
    const result = (await this.#ask('textDocument/hover', place)) as {
      readonly contents: { readonly value: string }
    }
    return result.contents.value
  }

  close(): void {
    this.#process.kill()
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#send({ id, method, params })
    })
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }

  /** The next message that has come whole. */
  #next(): Message | undefined {
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd < 0) return undefined
    const head = this.#received.subarray(0, headEnd).toString()
    const end = headEnd + 4 + Number(/Content-Length: (\d+)/i.exec(head)?.[1])
    if (this.#received.length < end) return undefined
    const text = this.#received.subarray(headEnd + 4, end).toString()
    this.#received = this.#received.subarray(end)
    return JSON.parse(text)
  }

  #take({ id, method, params, result }: Message): void {
    if (id === undefined) return
    if (method === undefined) this.#waiting.get(id)?.(result)
    // A question of the server's, such as for settings, of which there are none.
    else this.#send({ id, result: params?.items?.map(() => null) ?? null })
  }
}
