import { describeOnEveryStorage } from '@gateleg/testing/test-engine'
import { openWorld, testPassword, type World } from '@gateleg/testing/worlds/world'
import { afterEach, beforeEach, expect, test } from 'vitest'

describeOnEveryStorage('users of an embedding program', (storage) => {
  let world: World
  beforeEach(async () => {
    world = await openWorld(storage)
  })
  afterEach(() => world.close())

  test('[ACCOUNT-43] refuses calls as somebody who is not there', async () => {
    const ada = await world.newPerson('Ada')
    const { api } = ada
    const { id: baseId } = await api.bases.createBase({ spaceId: ada.spaceId })
    const nobody = world.engine.as({ userId: 'usr-nobody' })
    for (const call of [
      () => nobody.spaces.listSpaces({}),
      () => nobody.spaces.createSpace({}),
      () => nobody.bases.getBase({ baseId }),
      () => nobody.tables.createTable({ baseId }),
      () => nobody.accounts.getMe({}),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'unauthorized' })
    }
    await nobody.accounts.signUp({ email: 'eve@example.com', password: testPassword })
  })

  test('[ACCOUNT-44] makes them known, once, and takes over what changes', async () => {
    const { engine } = world
    expect(await engine.ensureUser({ id: '42', name: 'Ada' })).toEqual({ id: '42', name: 'Ada' })
    const ada = engine.as({ userId: '42' })
    const { id: spaceId } = await ada.spaces.createSpace({ name: 'Plans' })
    const email = 'Ada@example.com'
    expect(await engine.ensureUser({ id: '42', name: 'Ada K', email })).toEqual({
      id: '42',
      name: 'Ada K',
      email: 'ada@example.com',
    })
    expect(await ada.accounts.getMe({})).toMatchObject({ name: 'Ada K', hasPassword: false })
    expect(await engine.ensureUser({ name: 'Ada K', email })).toMatchObject({ id: '42' })
    const { id } = await engine.ensureUser({ name: 'Bob' })
    expect(id).toMatch(/^usr/)
    await ada.collaborators.addSpaceCollaborators({
      spaceId,
      collaborators: [{ principalId: id, principalType: 'user' }],
      role: 'viewer',
    })
    const { collaborators } = await engine
      .as({ userId: id })
      .collaborators.listSpaceCollaborators({ spaceId })
    const emails = collaborators.map((one) => [one.userName, one.email])
    expect(emails.toSorted()).toEqual([
      ['Ada K', 'ada@example.com'],
      ['Bob', undefined],
    ])
  })

  test('[ACCOUNT-90] shows them no address where they have none', async () => {
    const { engine } = world
    const { id: userId } = await engine.ensureUser({ name: 'Ada' })
    const { accounts } = engine.as({ userId })
    expect(await accounts.getMe({})).not.toHaveProperty('email')
    expect(await accounts.getUser({})).not.toHaveProperty('email')
    await engine.ensureUser({ id: userId, name: 'Ada', email: 'ada@example.com' })
    expect(await accounts.getMe({})).toMatchObject({ id: userId, email: 'ada@example.com' })
    expect(await accounts.getUser({})).toMatchObject({ id: userId, email: 'ada@example.com' })
  })

  test('[ACCOUNT-44] undoes nothing that happens to an account at the same time', async () => {
    const { engine } = world
    const signIn = (email: string) =>
      engine.public.accounts.signIn({ email, password: testPassword })
    await world.newPerson('Administrator')
    const people = []
    for (let n = 0; n < 12; n++) people.push(await world.newPerson(`Person${n}`))
    const ends = people.map(({ api, email }, n) =>
      Promise.all([
        n % 2 === 0
          ? api.accounts.deleteAccount({ password: testPassword })
          : api.accounts.changePassword({ password: testPassword, newPassword: 'another horse 2' }),
        engine.ensureUser({ name: `Renamed ${n}`, email }),
      ]),
    )
    await Promise.all(ends)
    for (const { email } of people) {
      await expect(signIn(email)).rejects.toMatchObject({ code: 'invalid_credentials' })
    }
  })

  test('[ACCOUNT-44] makes one user of many calls at once', async () => {
    const user = { id: 'u-1', name: 'Ada', email: 'ada@example.com' }
    const made = await Promise.all(Array.from({ length: 10 }, () => world.engine.ensureUser(user)))
    expect(made).toEqual(Array(10).fill(user))
  })

  test('[ACCOUNT-44] refuses what can not be, and lets nobody sign in as them', async () => {
    const { engine } = world
    await engine.ensureUser({ id: '42', name: 'Ada', email: 'ada@example.com' })
    for (const user of [
      { name: ' ' },
      { id: 'a:b', name: 'x' },
      { id: '', name: 'x' },
      { name: 'x', email: 'none' },
      { name: 'x', email: 'x@user.invalid' },
    ]) {
      await expect(engine.ensureUser(user)).rejects.toMatchObject({ code: 'validation_error' })
    }
    const other = { id: '43', name: 'Bob', email: 'ada@example.com' }
    await expect(engine.ensureUser(other)).rejects.toMatchObject({ code: 'conflict' })
    await engine.ensureUser({ id: '43', name: 'Bob' })
    await expect(engine.ensureUser(other)).rejects.toMatchObject({ code: 'conflict' })
    const account = { email: 'ada@example.com', password: testPassword }
    const { accounts } = engine.public
    await expect(accounts.signIn(account)).rejects.toMatchObject({ code: 'invalid_credentials' })
    await expect(accounts.signUp(account)).rejects.toMatchObject({ code: 'conflict' })
    await expect(accounts.signUp({ ...account, email: '43@user.invalid' })).rejects.toMatchObject({
      code: 'validation_error',
    })
  })

  test('[ACCOUNT-120] tells users apart whose ids differ in capital letters alone', async () => {
    const { engine } = world
    await world.newPerson('Administrator')
    for (const id of ['U.a', 'u.a', 'U.A']) {
      expect(await engine.ensureUser({ id, name: id })).toEqual({ id, name: id })
    }
    for (const id of ['U.a', 'u.a', 'U.A']) {
      const { accounts } = engine.as({ userId: id })
      expect(await accounts.getMe({})).toMatchObject({ id, name: id })
      await accounts.deleteAccount({})
    }
  })

  test('[ACCOUNT-121] shows who is back by their initials, like everybody', async () => {
    const { engine } = world
    await world.newPerson('Administrator')
    await engine.ensureUser({ id: '42', name: 'Ada King' })
    const { accounts } = engine.as({ userId: '42' })
    const before = (await accounts.getMe({})).avatar
    expect(before).toMatch(/^data:image/)
    await accounts.deleteAccount({})
    await engine.ensureUser({ id: '42', name: 'Ada King' })
    expect(await accounts.getMe({})).toMatchObject({ name: 'Ada King', avatar: before })
    await engine.ensureUser({ id: '42', name: 'Bob' })
    expect((await accounts.getMe({})).avatar).not.toBe(before)
  })
})
