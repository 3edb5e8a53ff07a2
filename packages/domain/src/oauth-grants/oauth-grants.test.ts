import { provingCode } from '@gateleg/testing/operations/oauth-grants'
import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { withLimits } from '@gateleg/testing/with-limits'
import { apiBy } from '@gateleg/testing/worlds/token-bearer'
import { openWorld, type Person, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Action, actions } from '../access/roles.ts'
import type { DomainEvent } from '../events/event.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const place = 'https://room.example.com/back'
const local = 'http://127.0.0.1/back'
const notFound = { code: 'not_found' }
const invalid = { code: 'validation_error' }
const restricted = { code: 'restricted_resource' }
const wrong = { code: 'invalid_credentials', data: { oauthError: 'invalid_grant' } }
const unknownApp = { code: 'unauthorized', data: { oauthError: 'invalid_client' } }
const { verifier: code_verifier, challenge } = provingCode
const proving = { code_challenge: challenge, code_challenge_method: 'S256' }

describeOnEveryStorage('OAuth apps that act for somebody', (storage) => {
  let world: World
  let ada: Person
  let bob: Person
  let client_id: string
  let client_secret: string
  /** An app without a secret. */
  let publicId: string
  let people = 0

  beforeAll(async () => {
    world = await openWorld(storage)
    await world.newPerson('Root')
    ada = await world.newPerson('Ada')
  })
  afterAll(() => world.close())

  const register = async (sent: object = {}) => {
    const { clientId } = await ada.api.oauthClients.createClient({
      ...{ name: 'Reading room', homepage: 'https://room.example.com', redirectUris: [place] },
      ...{ scopes: ['base|read', 'table|read', 'table|create', 'user|email_read'], ...sent },
    })
    return clientId
  }
  beforeEach(async () => {
    bob = await world.newPerson(`Bob${++people}`)
    client_id = await register()
    publicId = await register({ redirectUris: [place, local] })
    client_secret = (await ada.api.oauthClients.createSecret({ clientId: client_id })).secret
  })

  const open = () => world.engine.public.oauthGrants
  const start = async (sent: object = {}, { api }: Person = bob) =>
    (await api.oauthGrants.startAuthorization({ response_type: 'code', client_id, ...sent })).url
  const answered = (url: string) => Object.fromEntries(new URL(url).searchParams)
  const ask = async (sent: object = {}, person = bob) => {
    const url = await start(sent, person)
    expect(url).toMatch(/^decision\//)
    return decodeURIComponent(url.slice('decision/'.length))
  }
  const decide = async (transactionId: string, allow = true, { api }: Person = bob) =>
    (await api.oauthGrants.decideAuthorization({ transactionId, allow })).url
  const newCode = async (sent: object = {}, person = bob) => {
    const { code } = answered(await decide(await ask(sent, person), true, person))
    if (code === undefined) throw new Error('a code comes back')
    return code
  }
  const trade = (code: string, sent: object = {}) =>
    open().createTokens({
      ...{ grant_type: 'authorization_code', client_id, client_secret, code, ...sent },
    })
  const refresh = (refresh_token: string, sent: object = {}) =>
    open().createTokens({
      ...{ grant_type: 'refresh_token', client_id, client_secret, refresh_token, ...sent },
    })
  const newTokens = async (sent: object = {}) => trade(await newCode(sent))
  /** Once the user has let the app do as much. */
  const nextCode = async (sent: object = {}, person = bob) =>
    answered(await start(sent, person)).code ?? ''
  const authenticate = (text: string) => world.engine.authenticate(text)
  const bearer = (text: string) => apiBy(world.engine, text)

  test('[OAUTH-1] ask who has a session, and are there', async () => {
    await expect(start({ client_id: 'cltNone' })).rejects.toMatchObject(notFound)
    const { access_token } = await newTokens()
    const api = await bearer(access_token)
    const transactionId = await ask({ client_id: publicId, redirect_uri: place, ...proving })
    for (const call of [
      () => api.oauthGrants.startAuthorization({ response_type: 'code', client_id }),
      () => api.oauthGrants.getAuthorization({ transactionId }),
      () => api.oauthGrants.decideAuthorization({ transactionId, allow: true }),
      () => api.oauthGrants.listAuthorizedClients({}),
      () => api.oauthGrants.revokeClientAccess({ clientId: client_id }),
    ]) {
      await expect(call()).rejects.toMatchObject(restricted)
    }
  })

  test('[OAUTH-2] send nobody to a place that they have not registered', async () => {
    for (const redirect_uri of [
      ...[`${place}/`, `${place}?x=1`, 'https://evil.example/back', place.toUpperCase(), ''],
      ...['http://127.0.0.1:99/back', `${place}#x`],
    ]) {
      await expect(start({ redirect_uri }), redirect_uri).rejects.toMatchObject(invalid)
    }
    const ofPublic = { client_id: publicId, ...proving }
    await expect(start(ofPublic)).rejects.toMatchObject(invalid)
    for (const redirect_uri of [
      ...['http://127.0.0.1:4000/other', 'http://localhost:4000/back', 'http://[::1]/back'],
      ...['http://127.0.0.1:4000@evil.example/back', 'https://127.0.0.1:4000/back'],
    ]) {
      const refused = start({ ...ofPublic, redirect_uri })
      await expect(refused, redirect_uri).rejects.toMatchObject(invalid)
    }
    const redirect_uri = 'http://127.0.0.1:4000/back'
    const url = await decide(await ask({ ...ofPublic, redirect_uri }))
    expect(url.startsWith(`${redirect_uri}?code=`)).toBe(true)
    expect(await ask()).toBeTruthy()
  })

  test('[OAUTH-3] [OAUTH-4] [OAUTH-5] are told at their place what is wrong', async () => {
    const ofPublic = { client_id: publicId, redirect_uri: place }
    for (const [sent, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ scope: 'record|read' }, 'invalid_scope'],
      [{ scope: 'base|read nothing' }, 'invalid_scope'],
      [ofPublic, 'invalid_request'],
      [{ code_challenge: challenge }, 'invalid_request'],
      [{ code_challenge_method: 'S256' }, 'invalid_request'],
      [{ ...ofPublic, ...proving, code_challenge_method: 'plain' }, 'invalid_request'],
      [{ ...ofPublic, ...proving, code_challenge: 'short' }, 'invalid_request'],
    ] as const) {
      const url = await start({ ...sent, state: 'a b&c' })
      expect(url.startsWith(`${place}?`)).toBe(true)
      expect(answered(url)).toMatchObject({ error, state: 'a b&c' })
    }
    const all = await newTokens()
    expect(all.scopes).toEqual(['base|read', 'table|read', 'table|create', 'user|email_read'])
    const some = await trade(await nextCode({ scope: 'table|read  base|read' }))
    expect([some.scopes, some.scope]).toEqual([['base|read', 'table|read'], 'base|read table|read'])
  })

  test('[OAUTH-3] are told at their place what is malformed, missing or said twice', async () => {
    const long = 'x'.repeat(2_001)
    for (const [sent, state, of] of [
      [{ response_type: undefined }, 's', 'response_type'],
      [{ response_type: '' }, 's', 'response_type'],
      [{ response_type: ['code', 'code'] }, 's', 'response_type'],
      [{ scope: ['base|read', 'base|read'] }, 's', 'scope'],
      [{ scope: long }, 's', 'scope'],
      [{ code_challenge: [challenge, challenge] }, 's', 'code_challenge'],
      [{ code_challenge_method: ['S256', 'S256'] }, 's', 'code_challenge_method'],
      [{ state: long }, long, 'state'],
      [{ state: 'ä' }, 'ä', 'state'],
      [{ state: ['s', 's'] }, undefined, 'state'],
    ] as const) {
      const url = await start({ state: 's', ...sent })
      expect(url.startsWith(`${place}?error=invalid_request&`), url).toBe(true)
      const told = answered(url)
      expect(told.state).toBe(state)
      expect(told.error_description).toMatch(new RegExp(`^${of} [ !#-[\\]-~]+$`))
    }
    // Where nobody can be sent, they are told here.
    await expect(start({ client_id: 'cltNone', state: long })).rejects.toMatchObject(notFound)
    await expect(
      start({ redirect_uri: 'https://evil.example', state: long }),
    ).rejects.toMatchObject(invalid)
  })

  test('[OAUTH-6] [OAUTH-7] ask one user, for ten minutes, who allows or refuses', async () => {
    const sent = { scope: 'table|read', state: 's' }
    const transactionId = await ask(sent)
    const { getAuthorization } = bob.api.oauthGrants
    expect(await getAuthorization({ transactionId })).toEqual({
      ...{ name: 'Reading room', homepage: 'https://room.example.com', scopes: ['table|read'] },
      ...{ redirectUri: place, user: { id: bob.userId, name: `bob${people}`, email: bob.email } },
    })
    await expect(decide(transactionId, true, ada)).rejects.toMatchObject(notFound)
    const changed = transactionId.replace('table', 'tbale')
    for (const id of [changed, `${transactionId}0`, 'oauth.', 'x']) {
      await expect(getAuthorization({ transactionId: id })).rejects.toMatchObject(notFound)
    }
    const url = await decide(transactionId)
    expect(answered(url)).toEqual({ code: expect.stringMatching(/^gateleg_oag/), state: 's' })
    const open = await ask({ scope: 'table|create' })
    const elsewhere = { name: 'x', homepage: place, redirectUris: [`${place}/new`] }
    await ada.api.oauthClients.updateClient({ ...elsewhere, clientId: client_id })
    await expect(decide(open)).rejects.toMatchObject(notFound)
    await ada.api.oauthClients.updateClient({
      ...elsewhere,
      redirectUris: [place],
      clientId: client_id,
    })
    await expect(decide(open)).resolves.toMatch(place)
    world.clock.advance(10 * minuteMs)
    await expect(decide(transactionId)).rejects.toMatchObject(notFound)
  })

  test('[OAUTH-7] get no code by a question that was refused', async () => {
    const transactionId = await ask({ state: 's' })
    await decide(transactionId)
    for (const _ of ['refused', 'refused again']) {
      expect(await decide(transactionId, false)).toBe(`${place}?error=access_denied&state=s`)
    }
    await expect(decide(transactionId)).rejects.toMatchObject(notFound)
    world.clock.advance(10 * minuteMs - 1)
    await expect(decide(transactionId)).rejects.toMatchObject(notFound)
    await decide(await ask({ scope: 'table|read', state: 't' }, ada), true, ada)
  })

  test('[OAUTH-8] are not asked about again, but for what is more or may be another program', async () => {
    await newTokens({ scope: 'base|read table|read' })
    expect(answered(await start({ scope: 'table|read' })).code).toBeDefined()
    await ask({ scope: 'table|read table|create' })
    await ask({ scope: 'table|read' }, ada)
    const ofPublic = { client_id: publicId, ...proving, scope: 'table|read' }
    const redirect_uri = 'http://127.0.0.1:4000/back'
    await newCode({ ...ofPublic, redirect_uri })
    await ask({ ...ofPublic, redirect_uri })
    expect(answered(await start({ ...ofPublic, redirect_uri: place })).code).toBeDefined()
    await bob.api.oauthGrants.revokeClientAccess({ clientId: client_id })
    await ask({ scope: 'table|read' })
  })

  test('[OAUTH-9] trade a code once, in five minutes, as they asked for it', async () => {
    const asked = { redirect_uri: place, ...proving }
    const right = { redirect_uri: place, code_verifier }
    const code = await newCode(asked)
    for (const sent of [
      ...[{ code_verifier }, { redirect_uri: place }, { ...right, redirect_uri: `${place}/` }],
      { ...right, code_verifier: challenge },
      { ...right, client_id: publicId, client_secret: undefined },
      { ...right, grant_type: 'refresh_token', refresh_token: code },
      { ...right, code: `${code}0` },
    ]) {
      await expect(trade(code, sent), JSON.stringify(sent)).rejects.toMatchObject(wrong)
    }
    const fresh = await newCode(asked)
    const tokens = await trade(fresh, right)
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 })
    const unproven = await nextCode()
    // A challenge that somebody took out of the request is missed.
    await expect(trade(unproven, { code_verifier })).rejects.toMatchObject(wrong)
    await trade(unproven)
    const late = await nextCode()
    world.clock.advance(5 * minuteMs)
    await expect(trade(late)).rejects.toMatchObject(wrong)
  })

  test('[OAUTH-10] renew their tokens once', async () => {
    const first = await newTokens()
    expect(await authenticate(first.access_token)).toMatchObject({ userId: bob.userId })
    for (const text of [first.refresh_token, `${first.access_token}0`]) {
      expect(await authenticate(text)).toBeUndefined()
    }
    const second = await refresh(first.refresh_token)
    expect(await authenticate(first.access_token)).toBeUndefined()
    world.clock.advance(60 * minuteMs - 1)
    expect(await authenticate(second.access_token)).toBeDefined()
    world.clock.advance(1)
    expect(await authenticate(second.access_token)).toBeUndefined()
    world.clock.advance(29 * dayMs)
    const third = await refresh(second.refresh_token)
    expect(third.scopes).toEqual(first.scopes)
    world.clock.advance(30 * dayMs)
    await expect(refresh(third.refresh_token)).rejects.toMatchObject(wrong)
  })

  test('[OAUTH-10] get by new tokens what was allowed and no more', async () => {
    const { refresh_token } = await newTokens({ scope: 'base|read table|read' })
    for (const scope of [
      'table|create',
      'base|read nothing',
      'base|read table|read table|create',
    ]) {
      await expect(refresh(refresh_token, { scope })).rejects.toMatchObject({
        ...{ code: 'validation_error', data: { oauthError: 'invalid_scope' } },
      })
    }
    const narrower = await refresh(refresh_token, { scope: 'table|read' })
    expect(narrower.scope).toBe('base|read table|read')
    const same = await refresh(narrower.refresh_token, { scope: 'table|read base|read' })
    expect((await refresh(same.refresh_token, { scope: '' })).scope).toBe('base|read table|read')
  })

  test('[OAUTH-11] lose all of a grant when a code or refresh token comes again', async () => {
    const code = await newCode()
    const { access_token } = await trade(code)
    const other = await trade(await nextCode())
    await expect(trade(code)).rejects.toMatchObject(wrong)
    expect(await authenticate(access_token)).toBeUndefined()
    const second = await refresh(other.refresh_token)
    const third = await refresh(second.refresh_token)
    await expect(refresh(other.refresh_token)).rejects.toMatchObject(wrong)
    expect(await authenticate(third.access_token)).toBeUndefined()
    await expect(refresh(third.refresh_token)).rejects.toMatchObject(wrong)
  })

  test('[OAUTH-11] give tokens to one of several that trade a code at once', async () => {
    const code = await newCode()
    const traded = await Promise.allSettled(Array.from({ length: 3 }, () => trade(code)))
    expect(traded.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('[OAUTH-12] prove themselves, where they have a secret, or had one', async () => {
    const code = await newCode()
    for (const sent of [
      ...[{ client_secret: undefined }, { client_secret: 'wrong' }, { client_id: 'cltNone' }],
      { client_id: publicId },
    ]) {
      await expect(trade(code, sent)).rejects.toMatchObject(unknownApp)
    }
    const { refresh_token } = await trade(code)
    const { secrets } = await ada.api.oauthClients.getClient({ clientId: client_id })
    const of = { clientId: client_id, secretId: secrets?.[0]?.id ?? '' }
    const { code: unproven = '' } = answered(await start())
    await ada.api.oauthClients.deleteSecret(of)
    const without = { client_secret: undefined }
    await expect(trade(unproven, without)).rejects.toMatchObject(wrong)
    await expect(refresh(refresh_token, without)).rejects.toMatchObject(wrong)
    const next = await ada.api.oauthClients.createSecret({ clientId: client_id })
    await refresh(refresh_token, { client_secret: next.secret })
    const ofPublic = { client_id: publicId, client_secret: undefined }
    const asked = { client_id: publicId, redirect_uri: place, ...proving }
    const tokens = await trade(await newCode(asked), {
      ...ofPublic,
      redirect_uri: place,
      code_verifier,
    })
    await refresh(tokens.refresh_token, ofPublic)
  })

  test('[OAUTH-13] are answered alike, and guess a number of times', async () => {
    await expect(trade('x', { grant_type: 'password' })).rejects.toMatchObject({
      ...{ code: 'validation_error', data: { oauthError: 'unsupported_grant_type' } },
    })
    await expect(trade('')).rejects.toMatchObject({ data: { oauthError: 'invalid_request' } })
    const { refresh_token } = await newTokens()
    await withLimits({ signInFailuresPerAddress: 1 }, async () => {
      const origin = { address: '203.0.113.7' }
      const send = (sent: object) =>
        world.engine.call(
          'oauthGrants.createTokens',
          { kind: 'anonymous' },
          { client_id, ...sent },
          { origin },
        )
      const renewing = { grant_type: 'refresh_token', refresh_token: 'x' }
      for (let turn = 0; turn < 2; turn++) {
        await expect(send({ ...renewing, client_secret })).rejects.toMatchObject(wrong)
      }
      await send({ ...renewing, refresh_token, client_secret })
      await expect(send({ ...renewing, client_id: publicId })).rejects.toMatchObject(wrong)
      const late = send({ ...renewing, client_secret })
      await expect(late).rejects.toMatchObject({ code: 'too_many_requests' })
    })
  })

  test('[OAUTH-14] act within scopes, the role of the user, and what the app may ask for now', async () => {
    const { id: baseId } = await bob.api.bases.createBase({ spaceId: bob.spaceId, name: 'Mine' })
    const { access_token } = await newTokens({ scope: 'base|read table|read table|create' })
    const api = await bearer(access_token)
    expect(await api.tables.listTables({ baseId })).toEqual([])
    await api.tables.createTable({ baseId, name: 'Loans' })
    await expect(api.bases.deleteBase({ baseId })).rejects.toMatchObject(restricted)
    await expect(api.accessTokens.listTokens({})).rejects.toMatchObject(restricted)
    expect(await api.accounts.getUser({})).toMatchObject({ id: bob.userId, name: `bob${people}` })
    expect(await api.accounts.getUser({})).not.toHaveProperty('email')
    const { id: hidden } = await ada.api.bases.createBase({ spaceId: ada.spaceId })
    await expect(api.tables.listTables({ baseId: hidden })).rejects.toMatchObject(notFound)
    await ada.api.oauthClients.updateClient({
      ...{ name: 'x', homepage: place, redirectUris: [place], clientId: client_id },
      scopes: ['table|read'] satisfies Action[],
    })
    const less = await bearer(access_token)
    const more = less.tables.createTable({ baseId, name: 'More' })
    await expect(more).rejects.toMatchObject(restricted)
    expect(await less.tables.listTables({ baseId })).toHaveLength(1)
  })

  test('[OAUTH-15] are listed, and ended, by who let them act', async () => {
    const { oauthGrants } = bob.api
    expect(await oauthGrants.listAuthorizedClients({})).toEqual([])
    const { access_token, refresh_token } = await newTokens({ scope: 'table|read' })
    await trade(await newCode({ scope: 'base|read' }))
    const code = await nextCode({ scope: 'table|read' })
    const shown = {
      ...{ clientId: client_id, name: 'Reading room', homepage: 'https://room.example.com' },
      ...{ scopes: ['base|read', 'table|read'], createdUser: { id: ada.userId, name: 'ada' } },
    }
    expect(await oauthGrants.listAuthorizedClients({})).toMatchObject([shown])
    await authenticate(access_token)
    await expect
      .poll(async () => (await oauthGrants.listAuthorizedClients({}))[0]?.lastUsedTime)
      .toBeDefined()
    const end = () => oauthGrants.revokeClientAccess({ clientId: client_id })
    const byAda = ada.api.oauthGrants.revokeClientAccess({ clientId: client_id })
    await expect(byAda).rejects.toMatchObject(notFound)
    await end()
    expect(await authenticate(access_token)).toBeUndefined()
    await expect(refresh(refresh_token)).rejects.toMatchObject(wrong)
    await expect(trade(code)).rejects.toMatchObject(wrong)
    await expect(end()).rejects.toMatchObject(notFound)
    expect(await oauthGrants.listAuthorizedClients({})).toEqual([])
  })

  test('[OAUTH-16] lose everything with the app, and with the ways into the account', async () => {
    const { refresh_token } = await newTokens()
    const code = await nextCode()
    await bob.api.accounts.deleteAccount({ password: testPassword })
    await expect(refresh(refresh_token)).rejects.toMatchObject(wrong)
    await expect(trade(code)).rejects.toMatchObject(wrong)
    const eve = await world.newPerson('Eve')
    const transactionId = await ask({ state: 'late' }, eve)
    const tokens = await trade(await newCode({}, eve))
    const kept = await nextCode({}, eve)
    await ada.api.oauthClients.deleteClient({ clientId: client_id })
    expect(await authenticate(tokens.access_token)).toBeUndefined()
    await expect(refresh(tokens.refresh_token)).rejects.toMatchObject(unknownApp)
    await expect(trade(kept)).rejects.toMatchObject(unknownApp)
    await expect(decide(transactionId, true, eve)).rejects.toMatchObject(notFound)
    expect(await eve.api.oauthGrants.listAuthorizedClients({})).toEqual([])
  })

  test('[OAUTH-17] give up tokens of their own', async () => {
    const first = await newTokens()
    const second = await trade(await nextCode())
    const give = (token: string, sent: object = {}) =>
      open().revokeToken({ client_id, client_secret, token, ...sent })
    await give('unknown')
    await give(first.access_token, { client_id: publicId, client_secret: undefined })
    await give(`gateleg_${first.access_token.split('_')[1]}_x`)
    await expect(give(first.access_token, { client_secret: 'wrong' })).rejects.toMatchObject(
      unknownApp,
    )
    expect(await authenticate(first.access_token)).toBeDefined()
    await give(first.access_token)
    expect(await authenticate(first.access_token)).toBeUndefined()
    await expect(refresh(first.refresh_token)).rejects.toMatchObject(wrong)
    await give(second.refresh_token)
    expect(await authenticate(second.access_token)).toBeUndefined()
  })

  test('[OAUTH-18] have a number of codes and tokens, of which the newest stay', async () => {
    const most = { oauthGrantsPerClient: 2, oauthCodesPerClient: 2 }
    await withLimits(most, async () => {
      const tokens = [await newTokens()]
      for (let turn = 0; turn < 2; turn++) {
        world.clock.advance(1)
        tokens.push(await trade(await nextCode()))
      }
      const codes: string[] = []
      for (let turn = 0; turn < 3; turn++) {
        world.clock.advance(1)
        codes.push(await nextCode())
      }
      const alive = await Promise.all(tokens.map((one) => authenticate(one.access_token)))
      expect(alive.map((actor) => actor !== undefined)).toEqual([false, true, true])
      await expect(trade(codes[0] ?? '')).rejects.toMatchObject(wrong)
      await trade(codes[2] ?? '')
    })
    await withLimits({ oauthGrantsPerUser: 1, oauthCodesPerUser: 1 }, async () => {
      const asked = { client_id: publicId, redirect_uri: place, ...proving }
      const sent = { ...asked, client_secret: undefined, code_verifier }
      const code = await newCode(asked)
      const other = await nextCode()
      await expect(trade(code, sent)).rejects.toMatchObject(wrong)
      await trade(other)
      expect(await bob.api.oauthGrants.listAuthorizedClients({})).toHaveLength(1)
    })
  })

  test('[OAUTH-19] keep digests, and tell nobody else', async () => {
    const events: DomainEvent[] = []
    world.engine.subscribe((event) => events.push(event))
    const code = await newCode()
    const { access_token, refresh_token } = await trade(code)
    const [kept] = await world.engine.store.read((tx) => tx.oauthGrants.listOf(bob.userId))
    const refusal = await trade(code).catch(({ message, data }) => [message, data])
    const told = JSON.stringify([kept, events, refusal])
    expect(kept?.scopes).toEqual(actions.filter((one) => kept?.scopes.includes(one)))
    for (const text of [code, access_token, refresh_token, client_secret]) {
      for (const part of text.split('_').slice(-2)) {
        if (part.length > 30) expect(told).not.toContain(part)
      }
    }
  })
})
