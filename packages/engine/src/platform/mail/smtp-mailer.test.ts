import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { SmtpMailer, type SmtpOptions } from './smtp-mailer.ts'

const mail = { to: 'ada@example.com', subject: 'Grüße', text: 'Your code is 123456.' }
const failure = { code: 'failed_dependency' }

let close: (() => Promise<void>) | undefined

afterEach(() => close?.())

async function listen(server: Server, end: () => void): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      end()
    })
  return (server.address() as AddressInfo).port
}

interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly message: string
}

/** An SMTP server on this machine, what it received, and a mailer that sends by it. */
async function openPost(
  serverOptions: SMTPServerOptions,
  mailerOptions: Partial<SmtpOptions> = {},
) {
  const received: Received[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData: async (stream, session, done) => {
      let message = ''
      for await (const chunk of stream) message += chunk
      const { mailFrom, rcptTo } = session.envelope
      received.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        message,
      })
      done()
    },
    ...serverOptions,
  })
  const port = await listen(smtp.server, () => {})
  return { received, mailer: mailerTo(port, mailerOptions) }
}

function mailerTo(port: number, options: Partial<SmtpOptions> = {}): SmtpMailer {
  const from = 'Gateleg <gateleg@example.com>'
  return new SmtpMailer({ host: '127.0.0.1', port, from, timeoutMs: 500, ...options })
}

test('[MAIL-2] tells when the server refuses the receiver', async () => {
  const { received, mailer } = await openPost({
    onRcptTo: (_address, _session, done) => done(new Error('no such mail box')),
  })
  await expect(mailer.send(mail)).rejects.toMatchObject(failure)
  expect(received).toEqual([])
})

test('[MAIL-2] tells when nobody answers, or nobody is there', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket))
  const port = await listen(silent, () => {
    for (const socket of sockets) socket.destroy()
  })
  await expect(mailerTo(port).send(mail)).rejects.toMatchObject(failure)
  await close?.()
  close = undefined
  await expect(mailerTo(port).send(mail)).rejects.toMatchObject(failure)
})

test('[MAIL-5] gives a server up that says a little now and then, without end', async () => {
  const sockets: Socket[] = []
  let isClosed = false
  const slow = createServer((socket) => {
    sockets.push(socket)
    socket.write('220 mail.example\r\n')
    // Each line says that more will come.
    const timer = setInterval(() => socket.write('250-mail.example\r\n'), 50)
    socket
      .resume()
      .on('error', () => {})
      .on('end', () => socket.end())
    socket.on('close', () => {
      isClosed = true
      clearInterval(timer)
    })
  })
  const port = await listen(slow, () => {
    for (const socket of sockets) socket.destroy()
  })
  const mailer = mailerTo(port, { timeoutMs: 5_000, totalMs: 300 })
  const begunMs = performance.now()
  await expect(mailer.send(mail)).rejects.toMatchObject(failure)
  expect(performance.now() - begunMs).toBeLessThan(2_500)
  await expect.poll(() => isClosed).toBe(true)
})

test('[MAIL-3] sends nothing in the clear when it must not', async () => {
  const { received, mailer } = await openPost({}, { requireTls: true })
  await expect(mailer.send(mail)).rejects.toMatchObject(failure)
  expect(received).toEqual([])
})

test('[MAIL-1] sends to one address, whatever it looks like', async () => {
  const { received, mailer } = await openPost({})
  await mailer.send(mail)
  await mailer.send({ ...mail, to: "o'ada+x@example.com" })
  expect(received.map(({ from, to }) => ({ from, to }))).toEqual([
    { from: 'gateleg@example.com', to: ['ada@example.com'] },
    { from: 'gateleg@example.com', to: ["o'ada+x@example.com"] },
  ])
  const [{ message } = { message: '' }] = received
  expect(message).toMatch(/^From: Gateleg <gateleg@example.com>\r$/m)
  expect(message).toMatch(/^To: <?ada@example.com>?\r$/m)
  expect(message).toMatch(/^Subject: =\?UTF-8\?\S+\?=\r$/m)
  expect(message).toContain('Your code is 123456.')
})

test('[MAIL-1] keeps line breaks out of the headers', async () => {
  const { received, mailer } = await openPost({})
  await mailer.send({ ...mail, subject: 'Code\r\nBcc: eve@example.com' })
  expect(received[0]?.to).toEqual(['ada@example.com'])
  expect(received[0]?.message).not.toMatch(/^Bcc:/m)
})

test('[MAIL-4] signs in where it is told to', async () => {
  const serverOptions: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'gateleg' && password === 'secret'
        ? done(null, { user: username })
        : done(new Error('wrong')),
  }
  const good = await openPost(serverOptions, { user: 'gateleg', password: 'secret' })
  await good.mailer.send(mail)
  expect(good.received).toHaveLength(1)
  await close?.()
  const wrong = await openPost(serverOptions, { user: 'gateleg', password: 'wrong' })
  await expect(wrong.mailer.send(mail)).rejects.toMatchObject(failure)
})

test('[MAIL-6] tells nothing of what a server says that lets nobody sign in', async () => {
  const said = 'unknown command: AUTH PLAIN AGdhdGVsZWcAd3Jvbmc='
  const { mailer } = await openPost(
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error(said)),
    },
    { user: 'gateleg', password: 'wrong' },
  )
  const { cause } = (await mailer.send(mail).catch((error) => error)) as { readonly cause: Error }
  expect(cause).toMatchObject({ code: 'EAUTH', message: expect.stringContaining('(535)') })
  expect(inspect(cause)).not.toContain('unknown command')
})
