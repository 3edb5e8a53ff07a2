import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A mail server on loopback that keeps what it is sent. */
export interface TestMailServer {
  readonly port: number
  /** Every mail as it came over the wire, so far. */
  readonly mails: readonly string[]
  /** Those who signed in to it, as `user:password`. */
  readonly signedIn: readonly string[]
  /** Whether it lets nobody sign in from now on, and repeats what they sent. */
  refuses: boolean
  close(): void
}

/** A mail server that takes every mail, from everybody, as far as a sender needs one. */
export async function startMailServer(): Promise<TestMailServer> {
  const mails: string[] = []
  const signedIn: string[] = []
  const state = { refuses: false }
  const answerTo = (line: string): string => {
    if (line.startsWith('EHLO')) return '250-here\r\n250 AUTH PLAIN'
    if (line === 'DATA') return '354 go on'
    if (line === 'QUIT') return '221 bye'
    const [, sent] = /^AUTH PLAIN (.*)$/.exec(line) ?? []
    if (sent === undefined) return '250 ok'
    if (state.refuses) return `500 unknown: ${line}`
    const [, user, password] = Buffer.from(sent, 'base64').toString().split('\0')
    signedIn.push(`${user}:${password}`)
    return '235 ok'
  }
  const server = createServer((socket) => {
    let text = ''
    let isMail = false
    socket.write('220 here\r\n')
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (isMail && line !== '.') {
          mails.push(`${mails.pop() ?? ''}${line}\n`)
          continue
        }
        const answer = isMail ? '250 ok' : answerTo(line)
        isMail = answer.startsWith('354')
        if (isMail) mails.push('')
        socket.write(`${answer}\r\n`)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(state, { mails, signedIn, port, close: () => void server.close() })
}

/** The token of the invitation in a mail, whose lines were broken where they were long. */
export function invitationTokenIn(mail = ''): string {
  return /#invitation=(\w{30,})/.exec(textOfMail(mail))?.[1] ?? ''
}

/** The text of a mail, whose lines were broken where they were long. */
export function textOfMail(mail: string): string {
  return mail.replaceAll('=\n', '').replaceAll('=3D', '=')
}
