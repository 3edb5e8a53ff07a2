import { CredentialEnded } from '@gateleg/domain/access/live-credentials'
import type { Api } from '@gateleg/domain/api'
import type { Engine } from '@gateleg/engine/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenEngines, openEngines } from './open-engines.ts'
import { isOn } from './storages.ts'

/** What Bob does on one engine, which knows of him from before, while Ada changes on another what he may do. */
describe.runIf(isOn('postgres'))('what is written while the guard’s rows are compared', () => {
  let opened: OpenEngines
  let here: Engine
  let ada: Api
  let bob: Api
  let bobsSession: string
  let spaceId: string
  let baseId: string
  let tableId: string
  let nameId: string
  let bobId: string

  beforeEach(async () => {
    opened = await openEngines.postgres()
    let elsewhere: Engine
    ;[here, elsewhere] = opened.engines as [Engine, Engine]
    const { id: adaId } = await here.ensureUser({ name: 'Ada' })
    const email = 'bob@example.com'
    const account = await here.public.accounts.signUp({ email, password: 'correct horse 1' })
    bobId = account.id
    bobsSession = account.accessToken
    ada = elsewhere.as({ userId: adaId })
    bob = here.as({ userId: bobId })
    spaceId = (await ada.spaces.createSpace({})).id
    baseId = (await ada.bases.createBase({ spaceId })).id
    const fields = [{ name: 'Name', type: 'singleLineText' }] as const
    const table = await ada.tables.createTable({ baseId, fields: [...fields], records: [] })
    tableId = table.id
    nameId = table.fields[0]?.id ?? ''
    const collaborators = [{ principalId: bobId, principalType: 'user' as const }]
    await ada.collaborators.addSpaceCollaborators({ spaceId, collaborators, role: 'editor' })
    for (const name of ['Emma', 'Persuasion']) await create(bob, name)
  })
  afterEach(() => opened.close())

  const create = ({ records }: Api, Name: string, key = 'Name') =>
    records.createRecords({ tableId, records: [{ fields: { [key]: Name } }] })
  const namesOf = async () =>
    (await ada.records.listRecords({ tableId, fieldKeyType: 'id' })).records.map(
      ({ fields }) => fields[nameId],
    )
  const ofBob = () => ({ spaceId, principalId: bobId, principalType: 'user' as const })
  const lately = async () =>
    here.as((await here.authenticate(bobsSession, { mayVerifyLater: true })) as never)

  test('[POSTGRES-260] is not kept where the caller has no role any more', async () => {
    await ada.collaborators.removeSpaceCollaborator(ofBob())
    await expect(create(bob, 'Mansfield Park')).rejects.toMatchObject({ code: 'not_found' })
    expect(await namesOf()).toEqual(['Emma', 'Persuasion'])
  })

  test('[POSTGRES-260] is not kept where the caller may do less by now', async () => {
    await ada.collaborators.changeSpaceCollaborator({ ...ofBob(), role: 'viewer' })
    await expect(create(bob, 'Mansfield Park')).rejects.toMatchObject({
      code: 'restricted_resource',
    })
    expect(await namesOf()).toEqual(['Emma', 'Persuasion'])
  })

  test('[POSTGRES-260] is no longer refused where the caller may do more by now', async () => {
    await ada.collaborators.changeSpaceCollaborator({ ...ofBob(), role: 'viewer' })
    for (let times = 0; times < 2; times++) {
      await expect(create(bob, 'Sanditon')).rejects.toMatchObject({ code: 'restricted_resource' })
    }
    await ada.collaborators.changeSpaceCollaborator({ ...ofBob(), role: 'editor' })
    await create(bob, 'Mansfield Park')
    expect(await namesOf()).toEqual(['Emma', 'Persuasion', 'Mansfield Park'])
  })

  test('[POSTGRES-260] goes by the table as it is by now', async () => {
    await ada.fields.updateField({ tableId, fieldId: nameId, name: 'Title' })
    await expect(create(bob, 'Sanditon')).rejects.toMatchObject({ code: 'not_found' })
    await ada.fields.updateField({ tableId, fieldId: nameId, name: 'Work' })
    await create(bob, 'Mansfield Park', 'Work')
    expect(await namesOf()).toEqual(['Emma', 'Persuasion', 'Mansfield Park'])
    await ada.tables.deleteTable({ baseId, tableId })
    await expect(create(bob, 'Sanditon', 'Work')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('[POSTGRES-260] is not kept where the session has ended, although the work is done again', async () => {
    for (let times = 0; times < 2; times++) await create(await lately(), `${times}`)
    const session = await opened.engines[1]?.authenticate(bobsSession)
    await opened.engines[1]?.as(session as never).accounts.signOut({})
    await expect(create(await lately(), 'Sanditon')).rejects.toThrow(CredentialEnded)
    expect(await namesOf()).toEqual(['Emma', 'Persuasion', '0', '1'])
  })

  test('[POSTGRES-260] what was kept answers no call that reads', async () => {
    await ada.collaborators.removeSpaceCollaborator(ofBob())
    await expect(bob.records.listRecords({ tableId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(bob.tables.getTable({ baseId, tableId })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
