import { setTimeout } from 'node:timers/promises'
import { KeptMail } from '@gateleg/testing/doubles/kept-mail'
import { codeOf, SayingOpenIdClient, stateOf } from '@gateleg/testing/doubles/saying-open-id-client'
import { openIdConfig } from '@gateleg/testing/factories/open-id-config'
import { describeOnEveryStorage, type TestPorts } from '@gateleg/testing/test-engine'
import { openWorld, type Person, type World } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defaultSettings } from '../settings.ts'
import type { WriteTx } from '../store.ts'

const password = 'A-first-password-1'

describeOnEveryStorage('the first password of an account that a provider made', (storage) => {
  let world: World
  let owner: Person
  let providerId: string
  let email: string
  let subject: string
  let mailer: KeptMail
  /** Happens once, after a sign-in has found an identity. */
  let meanwhile: (() => Promise<unknown>) | undefined
  let people = 0

  beforeAll(async () => {
    mailer = new KeptMail()
    const ports = {
      openIdClient: new SayingOpenIdClient(),
      settings: { ...defaultSettings, publicUrl: 'https://gateleg.example' },
      mail: { mailer },
    }
    const watched = {
      name: storage.name,
      open: (given?: TestPorts) =>
        storage.open(given, (store) => ({
          ...store,
          giveWay: () => store.giveWay(),
          read: (work, options) => store.read(work, options),
          write: (work, options) => store.write((tx) => work(watch(tx)), options),
        })),
    }
    world = await openWorld(watched, ports)
    owner = await world.newPerson('Owner')
    providerId = await addProvider()
  })
  beforeEach(() => {
    subject = `name${people++}`
    email = `${subject}@provider.example`
    meanwhile = undefined
  })
  afterAll(() => world.close())

  const addProvider = async () => {
    const { api, spaceId } = owner
    const given = { spaceId, type: 'oidc', name: 'City account', config: openIdConfig } as const
    return (await api.loginProviders.createLoginProvider(given)).id
  }

  function watch(tx: WriteTx): WriteTx {
    const find: WriteTx['identities']['find'] = async (named) => {
      const found = await tx.identities.find(named)
      const happening = meanwhile?.()
      meanwhile = undefined
      // Where one writes at a time, it can't happen before this transaction has ended.
      if (happening) await Promise.race([happening, setTimeout(300)])
      return found
    }
    const identities = replacing(tx.identities, { find })
    return replacing(tx, { identities })
  }

  async function signIn() {
    const { startSignIn, finishSignIn } = world.engine.public.identities
    const { url, flow } = await startSignIn({ providerId })
    const code = codeOf({ subject, email, isEmailVerified: true })
    const { accessToken = '' } = await finishSignIn({
      ...{ providerId, flow, state: stateOf(url), code },
    })
    const actor = await world.engine.authenticate(accessToken)
    if (actor?.kind !== 'user') throw new Error('no session')
    return { accessToken, api: world.engine.as(actor) }
  }
  const mailedCode = async () => {
    await world.engine.public.accounts.sendPasswordReset({ email })
    const { text = '' } = mailer.mails.findLast(({ to }) => to === email) ?? {}
    return /^usr.*$/m.exec(text)?.[0] ?? ''
  }
  const setPassword = async () =>
    world.engine.public.accounts.resetPassword({ code: await mailedCode(), password })
  const enter = () => world.engine.public.accounts.signIn({ email, password })

  test('[ACCOUNT-60] is set by a mail, once, when the provider is gone as well', async () => {
    await signIn()
    const { spaceId, api } = owner
    await api.loginProviders.deleteLoginProvider({ spaceId, authenticationId: providerId })
    providerId = await addProvider()
    await expect(enter()).rejects.toMatchObject({ code: 'invalid_credentials' })
    const code = await mailedCode()
    await world.engine.public.accounts.resetPassword({ code, password })
    expect(await enter()).toMatchObject({ email })
    await expect(
      world.engine.public.accounts.resetPassword({ code, password: 'A-second-password-2' }),
    ).rejects.toMatchObject({ code: 'invalid_captcha' })
  })

  test('[ACCOUNT-58] leaves nothing to who had the account made before the address was proven', async () => {
    const { accessToken, api } = await signIn()
    const [space] = await api.spaces.listSpaces({})
    const base = await api.bases.createBase({ spaceId: space?.id ?? '', name: 'Base' })
    const settings = { scopes: ['space|read' as const], hasFullAccess: true }
    const { token } = await api.accessTokens.createToken({
      ...{ name: 'Robot', expiredTime: '2999-01-01', ...settings },
    })
    const { id: pluginId, secret } = await api.plugins.createPlugin({
      ...{ name: 'Slips', logo: 'https://slips.example.com/l.png', positions: ['panel'] },
    })
    const given = { pluginId, baseId: base.id }
    const { code } = await api.pluginGrants.createPluginCode(given)
    const { createPluginToken } = world.engine.public.pluginGrants
    const ofPlugin = await createPluginToken({
      ...{ ...given, secret, scopes: ['table|read'], authCode: code },
    })
    const credentials = [accessToken, token, ofPlugin.accessToken]
    for (const one of credentials) expect(await world.engine.authenticate(one)).toBeDefined()
    await api.accounts.addPassword({ password: 'Of-somebody-else-1' })
    await setPassword()
    for (const one of credentials) expect(await world.engine.authenticate(one)).toBeUndefined()
    expect(await enter()).toMatchObject({ email })
  })

  test('[IDENTITY-21] ends a session that the identity opens at the same time', async () => {
    await signIn()
    let resetting: Promise<unknown> | undefined
    meanwhile = () => {
      resetting = setPassword()
      return resetting
    }
    const opened = await signIn().catch(() => undefined)
    await resetting
    const session = opened && (await world.engine.authenticate(opened.accessToken))
    expect(session).toBeUndefined()
    expect(await enter()).toMatchObject({ email })
  })

  test('[ACCOUNT-59] whoever has none yet is told so, and is not locked out by asking', async () => {
    const { api } = await signIn()
    const none = { code: 'restricted_resource', message: /no password yet/ }
    for (let n = 0; n < 6; n++) {
      const asked = api.accounts.sendChangeEmailCode({ email: 'new@provider.example', password })
      await expect(asked).rejects.toMatchObject({
        ...none,
        message: expect.stringMatching(none.message),
      })
    }
    const changed = api.accounts.changePassword({ password, newPassword: 'A-second-password-2' })
    await expect(changed).rejects.toMatchObject({ code: none.code })
    await setPassword()
    expect(await enter()).toMatchObject({ email })
  })
})

/** The same, with some members replaced. */
function replacing<Whole extends object>(whole: Whole, replaced: Partial<Whole>): Whole {
  return new Proxy(whole, {
    get: (target, name) => {
      if (name in replaced) return Reflect.get(replaced, name)
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
