import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A mail server on loopback that keeps what it is sent. */
export interface TestMailServer {
  readonly port: number
  /** Every mail as it came over the wire, so far. */
  readonly mails: readonly string[]
  close(): void
}

/** A mail server that takes every mail, as far as a sender without extensions needs one. */
export async function startMailServer(): Promise<TestMailServer> {
  const mails: string[] = []
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
        isMail = line === 'DATA'
        if (isMail) mails.push('')
        socket.write(isMail ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { mails, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

/** The token of the invitation in a mail, whose lines were broken where they were long. */
export function invitationTokenIn(mail = ''): string {
  const text = mail.replaceAll('=\n', '').replaceAll('=3D', '=')
  return /#invitation=(\w{30,})/.exec(text)?.[1] ?? ''
}
