import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createClient } from '@gateleg/contract/client'
import type { Operation } from '@gateleg/contract/operation'
import { operations } from '@gateleg/contract/operations'
import { openSignUp } from '@gateleg/domain/accounts/sign-up/sign-up-policy'
import { TextStream } from '@gateleg/domain/answers/text-stream'
import { defaultSettings } from '@gateleg/domain/settings'
import { codeOf, SayingOpenIdClient, stateOf } from '@gateleg/testing/doubles/saying-open-id-client'
import { openIdConfig } from '@gateleg/testing/factories/open-id-config'
import { pngFile } from '@gateleg/testing/factories/png-image'
import { makeExampleSpace } from '@gateleg/testing/http/example-space'
import { type HttpWorld, openHttpWorld } from '@gateleg/testing/http/http-world'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { textFile } from '@gateleg/testing/worlds/place'
import { type Person, testPassword } from '@gateleg/testing/worlds/world'
import { afterAll, beforeEach, expect, test } from 'vitest'

/** What was sent and answered, as the documentation shows it. */
interface Example {
  readonly input: unknown
  readonly answer?: unknown
}

/** The examples of the documentation. `UPDATE_EXAMPLES=1` has this test write them anew. */
const file = new URL('../../contract/src/examples.json', import.meta.url)
const recorded = new Map<string, Example>()
const kept: Readonly<Record<string, Example>> = JSON.parse(await readFile(file, 'utf8'))

/** Writes the file as the linter wants it. */
function format(path: string): void {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  execFileSync(process.execPath, [biome, 'format', '--write', path])
}

/** Members whose values are others in every run. */
const opaque = new Set([
  ...['accessToken', 'token', 'code', 'authCode', 'refreshToken', 'secret', 'hash', 'nextCursor'],
  ...['invitationCode', 'inviteUrl', 'maskedSecret', 'transactionId'],
  ...['client_secret', 'access_token', 'refresh_token'],
  'flow',
  // Drawn in a colour that follows from the id.
  ...['avatar', 'avatarUrl'],
  // Of files: part of it is secret.
  ...['path', 'presignedUrl', 'url'],
])

/** Whether it is what a login provider sends back, which is signed; imports have another kind of state. */
function isState(member: string, value: string): boolean {
  return member === 'state' && /^[0-9a-f]{64}$/.test(value)
}

/** The same example whatever ids and secrets the server has made. */
function toStable(example: Example): Example {
  const ids = new Map<string, string>()
  const stableId = (id: string) => {
    const prefix = id.slice(0, 3)
    const number = [...ids.keys()].filter((known) => known.startsWith(prefix)).length + 1
    const stable = `${prefix}${'xK3vQ8mZ1pT6wR0yB5nL'.slice(0, id.length - 5)}${String(number).padStart(2, '0')}`
    ids.set(id, ids.get(id) ?? stable)
    return ids.get(id) as string
  }
  const text = JSON.stringify(example, (member, value) =>
    typeof value === 'string' && (opaque.has(member) || isState(member, value)) ? '…' : value,
  )
  return JSON.parse(
    text
      .replace(
        /(?<![0-9A-Za-z])(?:[a-z]{3}[0-9A-Za-z]{16}|cho[0-9A-Za-z]{8})(?![0-9A-Za-z])/g,
        stableId,
      )
      // That of an archive with ids in it, which are others each time; before the names, which it may have in it.
      .replace(/(?<=lines\\":(?:[2-9]|\d{2,}),\\"sha256\\":\\")[0-9a-f]{64}/g, '0'.repeat(64))
      .replace(/ada\d+/g, 'ada'),
  )
}

/** The names in braces replaced by what they stand for. */
function fill(example: unknown, ids: Readonly<Record<string, string>>): Record<string, unknown> {
  const text = JSON.stringify(example)
  return JSON.parse(text.replace(/\{(\w+)\}/g, (whole, name) => ids[name] ?? whole))
}

/** Operations whose examples need a provider that answers. */
const needProvider: ReadonlySet<string> = new Set([
  ...['identities.finishSignIn', 'identities.listIdentities', 'identities.unlinkIdentity'],
  ...['identities.startSignIn', 'identities.startLinking', 'accounts.addPassword'],
])

/** Operations whose examples are about a button, which no other example has. */
const needButton: ReadonlySet<string> = new Set(['records.pressButton', 'records.resetButton'])

async function addButton({ api }: Person, { tableId = '' }: Readonly<Record<string, string>>) {
  const options = { label: 'Lend', maxCount: 3, resetCount: true }
  return (await api.fields.createField({ tableId, type: 'button', name: 'Lend', options })).id
}

/** The path of the picture that the person has from then on. */
async function giveAvatar({ api }: Person): Promise<string> {
  await api.accounts.changeAvatar({ file: pngFile('ada.png', 40, 30) })
  const { avatar } = await api.accounts.getMe({})
  return avatar?.split('/').at(-1) ?? ''
}

/** Those that change something: each has a space of its own. */
const writes = operations.filter(({ useCase }) => useCase.kind === 'write')
/** One of each feature. */
const someWrites = [...Map.groupBy(writes, ({ feature }) => feature).values()].flatMap(
  ([first]) => first ?? [],
)

/** A storage that holds many tables is slow: after so many examples, others begin on an empty one. */
const examplesPerWorld = 40

describeOnEveryStorage('the examples of the documentation', (storage) => {
  let world: HttpWorld
  let admin: Person
  let others: { readonly member: Person; readonly stranger: Person }

  /** The space of all calls that read. */
  let unchanged: ReturnType<typeof newSpace> | undefined

  let examples = 0
  beforeEach(async () => {
    if (examples++ % examplesPerWorld > 0) return
    if (examples > 1) await world.close()
    unchanged = undefined
    const mail = { mailer: { send: async () => undefined } }
    world = await openHttpWorld(storage, { ports: { mail } })
    admin = await world.newPerson('Owner')
    others = { member: await world.newPerson('Member'), stranger: await world.newPerson('Other') }
  })
  afterAll(() => world.close())

  const openSession = (email: string) =>
    world.engine.public.accounts.signIn({ email, password: testPassword })

  async function send(
    { name, isPublic }: Operation,
    { url }: HttpWorld,
    input: object,
    person?: Person,
  ) {
    const client = createClient({
      baseUrl: `${url}/api`,
      ...(person && !isPublic && { token: person.accessToken }),
    })
    const [feature = '', call = ''] = name.split('.')
    const api = client as unknown as Record<string, Record<string, (input: object) => unknown>>
    const answer = await api[feature]?.[call]?.(input)
    if (answer instanceof TextStream) {
      let text = ''
      for await (const part of answer) text += part
      return text
    }
    // The client puts it there, out of the ETag.
    if (typeof answer === 'object' && answer !== null && 'version' in answer) delete answer.version
    return answer
  }

  /** A space with one of everything, which took its time. */
  async function newSpace(name: string) {
    const startMs = world.clock.now()
    const person = await world.newPerson(name)
    const ids = await makeExampleSpace(person, others, {
      openSession,
      passTime: () => world.clock.advance(60_000),
    })
    const madeMs = world.clock.now()
    world.clock.advance(startMs - madeMs)
    return { person, ids, madeMs }
  }

  function spaceFor({ useCase }: Operation, index: number): ReturnType<typeof newSpace> {
    if (useCase.kind === 'write') return newSpace(`ada${index + 1}`)
    unchanged ??= newSpace('ada0')
    return unchanged
  }

  async function run(operation: Operation, index: number): Promise<Example> {
    if (operation.name === 'accounts.sendSignUpCode') return runWithMail(operation)
    if (operation.name === 'accounts.acceptInvitation') return runInvited(operation)
    if (operation.name === 'accounts.acceptInvitationLink') return runWithLink(operation)
    if (operation.name === 'accounts.deleteAccount') return runLeaving(operation)
    if (operation.name === 'accounts.resetPassword') return runReset(operation)
    if (operation.name === 'accounts.changeEmail') return runWithNewAddress(operation)
    if (needProvider.has(operation.name)) return runWithProvider(operation)
    const { person, ids, madeMs } = await spaceFor(operation, index)
    const startMs = world.clock.now()
    world.clock.advance(madeMs - startMs)
    const buttonFieldId = needButton.has(operation.name) ? await addButton(person, ids) : ''
    const avatarPath = operation.name === 'accounts.readAvatar' ? await giveAvatar(person) : ''
    const input = fill(operation.example, { ...ids, buttonFieldId, avatarPath })
    const isPicture = operation.name === 'accounts.changeAvatar'
    const file = isPicture ? pngFile('ada.png', 40, 30) : textFile
    const sent = operation.body === 'multipart' ? { ...input, file } : input
    const isForAdmin = operation.useCase.access.requirement.on === 'instance'
    const answer = await send(operation, world, sent, isForAdmin ? admin : person)
    world.clock.advance(startMs - world.clock.now())
    return { input, answer }
  }

  /** Codes are mailed where addresses are verified, which they are not in the other examples. */
  async function runWithMail(operation: Operation): Promise<Example> {
    const codeMailer = { send: async () => undefined }
    const ports = { signUpPolicy: { ...openSignUp, codeMailer } }
    const mailing = await openHttpWorld(storage, { ports })
    try {
      const input = fill(operation.example, {})
      return { input, answer: await send(operation, mailing, input) }
    } finally {
      await mailing.close()
    }
  }

  /** Runs what needs a code from a mail, in a world that keeps its mails. */
  async function runMailed(
    operation: Operation,
    prepare: (owner: Person, mailing: HttpWorld) => Promise<Record<string, string>>,
    mails: string[],
  ): Promise<Example> {
    const mailer = { send: async ({ text }: { text: string }) => void mails.push(text) }
    const mailing = await openHttpWorld(storage, { ports: { mail: { mailer } } })
    try {
      const owner = await mailing.newPerson('Ada')
      const input = fill(operation.example, await prepare(owner, mailing))
      return { input, answer: await send(operation, mailing, input, owner) }
    } finally {
      await mailing.close()
    }
  }

  function runReset(operation: Operation): Promise<Example> {
    const mails: string[] = []
    const prepare = async ({ email }: { email: string }, { engine }: HttpWorld) => {
      await engine.public.accounts.sendPasswordReset({ email })
      const [resetCode = ''] = /^usr.*$/m.exec(mails[0] ?? '') ?? []
      return { resetCode }
    }
    return runMailed(operation, prepare, mails)
  }

  function runWithNewAddress(operation: Operation): Promise<Example> {
    const mails: string[] = []
    const prepare = async ({ api: { accounts } }: Person) => {
      const email = 'ada@new.example.com'
      const { token } = await accounts.sendChangeEmailCode({ email, password: testPassword })
      const [mailedCode = ''] = /\b\d{6}\b/.exec(mails[0] ?? '') ?? []
      return { codeToken: token, mailedCode }
    }
    return runMailed(operation, prepare, mails)
  }

  /** Somebody goes whose spaces nobody else is in. */
  async function runLeaving(operation: Operation): Promise<Example> {
    const leaver = await world.newPerson('Leaver')
    const input = fill(operation.example, {})
    return { input, answer: await send(operation, world, input, leaver) }
  }

  /** The token is in a mail. */
  async function runInvited(operation: Operation): Promise<Example> {
    const mails: string[] = []
    const mailer = { send: async ({ text }: { text: string }) => void mails.push(text) }
    const mailing = await openHttpWorld(storage, { ports: { mail: { mailer } } })
    try {
      const { api, spaceId } = await mailing.newPerson('Owner')
      const { id: baseId } = await api.bases.createBase({ spaceId, name: 'Library' })
      const emails = ['ada@example.com']
      await api.collaborators.inviteToBase({ baseId, emails, role: 'editor' })
      const [invitationToken = ''] = /^[0-9A-Za-z_-]{30,}$/m.exec(mails[0] ?? '') ?? []
      const input = fill(operation.example, { invitationToken })
      const ada = await mailing.newPerson('Ada')
      return { input, answer: await send(operation, mailing, input, ada) }
    } finally {
      await mailing.close()
    }
  }

  /** Somebody has been sent a link. */
  async function runWithLink(operation: Operation): Promise<Example> {
    const { api, spaceId } = await world.newPerson('Linker')
    const link = await api.invitationLinks.createSpaceLink({ spaceId, role: 'editor' })
    const { invitationId: linkId, invitationCode: linkCode = '' } = link
    const input = fill(operation.example, { linkId, linkCode })
    return { input, answer: await send(operation, world, input, await world.newPerson('Joiner')) }
  }

  /** A provider says who comes, and somebody has linked who they are there. */
  async function runWithProvider(operation: Operation): Promise<Example> {
    const settings = { ...defaultSettings, publicUrl: 'https://tables.example.com' }
    const openIdClient = new SayingOpenIdClient()
    const signing = await openHttpWorld(storage, { ports: { settings, openIdClient } })
    try {
      const ada = await signing.newPerson('Ada')
      const { spaceId } = ada
      const given = { spaceId, type: 'oidc', name: 'City account', config: openIdConfig } as const
      const { id: providerId } = await ada.api.loginProviders.createLoginProvider(given)
      const { startSignIn, finishSignIn } = signing.engine.public.identities
      const toAnswer = ({ url, flow }: { readonly url: string; readonly flow: string }) => {
        const claims = {
          subject: '248289761001',
          email: 'grace@example.com',
          isEmailVerified: true,
        }
        return { providerId, flow, state: stateOf(url), code: codeOf(claims) }
      }
      if (operation.name === 'identities.finishSignIn') {
        const { code, ...rest } = toAnswer(await startSignIn({ providerId, redirect: '/welcome' }))
        const input = { ...(fill(operation.example, rest) as object), code }
        return { input, answer: await send(operation, signing, input) }
      }
      if (operation.name === 'accounts.addPassword') {
        const session = await finishSignIn(toAnswer(await startSignIn({ providerId })))
        const input = fill(operation.example, {})
        const grace = { ...ada, accessToken: session.accessToken ?? '' }
        return { input, answer: await send(operation, signing, input, grace) }
      }
      if (operation.name.startsWith('identities.start')) {
        const input = fill(operation.example, { authenticationId: providerId })
        return { input, answer: await send(operation, signing, input, ada) }
      }
      const linking = { providerId, password: testPassword }
      await finishSignIn(toAnswer(await ada.api.identities.startLinking(linking)))
      const [identity] = await ada.api.identities.listIdentities({})
      const input = fill(operation.example, { identityId: identity?.id ?? '' })
      return { input, answer: await send(operation, signing, input, ada) }
    } finally {
      await signing.close()
    }
  }

  // That all storages answer alike is what scripts of calls show.
  const isShown = (each: Operation) =>
    storage.name === 'sqlite' || each.useCase.kind !== 'write' || someWrites.includes(each)
  const shown = operations.filter(isShown)

  test.each(shown.map((operation, index) => [operation.name, operation, index] as const))(
    '[CONTRACT-8] %s is answered as its example says',
    async (name, operation, index) => {
      const example = toStable(await run(operation, index))
      recorded.set(name, example)
      if (!process.env.UPDATE_EXAMPLES) expect(example).toEqual(kept[name])
    },
  )

  test('[CONTRACT-8] there are examples of nothing else', async () => {
    if (process.env.UPDATE_EXAMPLES) {
      await writeFile(file, `${JSON.stringify(Object.fromEntries(recorded), null, 2)}\n`)
      format(fileURLToPath(file))
    } else {
      expect(Object.keys(kept).toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
    }
  })
})
