import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OutboxMailer } from './outbox-mailer.ts'

const from = 'Gateleg <gateleg@example.com>'
const mail = { to: 'ada@example.com', subject: 'Sign up', text: 'Your code is 123456.' }

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gateleg-outbox-'))
})
afterEach(() => rmSync(root, { recursive: true }))

test('[MAIL-7] writes each mail to a file of its own, which only its owner reads', async () => {
  const folder = join(root, 'outbox')
  const mailer = new OutboxMailer({ folder, from })
  await Promise.all(['ada', 'bob'].map((to) => mailer.send({ ...mail, to: `${to}@example.com` })))
  const files = readdirSync(folder).map((name) => join(folder, name))
  const texts = files.map((file) => readFileSync(file, 'utf8')).sort()
  expect(files.every((file) => file.endsWith('.eml'))).toBe(true)
  expect(texts).toHaveLength(2)
  for (const text of texts) {
    expect(text).toContain('From: Gateleg <gateleg@example.com>\r\n')
    expect(text).toMatch(/^To: (ada|bob)@example\.com\r$/m)
    expect(text).toContain('Subject: Sign up\r\n')
    expect(text).toContain('\r\n\r\nYour code is 123456.')
  }
  expect([folder, ...files].map((path) => statSync(path).mode & 0o077)).toEqual([0, 0, 0])
})

test('[MAIL-7] keeps links and tokens whole, which people and programs copy from there', async () => {
  const link = `https://work.example/#invitation=${'39a723f0'.repeat(12)}`
  const text = `Grüße!\n\nOpen ${link}\n`
  await new OutboxMailer({ folder: root, from }).send({ ...mail, text })
  const [file = ''] = readdirSync(root)
  const written = readFileSync(join(root, file), 'utf8')
  expect(written).toContain(`\r\n\r\nGrüße!\r\n\r\nOpen ${link}\r\n`)
  expect(written.match(/^Content-Transfer-Encoding: .*$/gm)).toEqual([
    'Content-Transfer-Encoding: 8bit',
  ])
})

test('[MAIL-7] tells when a mail can not be written, and leaves nothing', async () => {
  const folder = join(root, 'file')
  writeFileSync(folder, '')
  const mailer = new OutboxMailer({ folder, from })
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'failed_dependency' })
  expect(readdirSync(root)).toEqual(['file'])
})

test('[MAIL-7] makes its folder anew where somebody has removed it, and asks of it nothing before', async () => {
  const folder = join(root, 'outbox')
  const mailer = new OutboxMailer({ folder, from })
  await mailer.makeFolder()
  rmSync(folder, { recursive: true })
  await mailer.send(mail)
  expect(readdirSync(folder)).toHaveLength(1)
  expect(statSync(folder).mode & 0o077).toBe(0)
})
