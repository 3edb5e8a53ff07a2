import { actions, type Role } from '@gateleg/domain/access/roles'
import type { ErrorCode } from '@gateleg/domain/errors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnEveryStorage } from '../test-engine.ts'
import { type Cast, newCast, newPlace, type Place } from '../worlds/place.ts'
import type { Person } from '../worlds/world.ts'
import { type HttpWorld, openHttpWorld } from './http-world.ts'
import type { TestAnswer, TestRequest } from './send-request.ts'

/**
 * One request and what must come of it, as data. Texts may name what is in the owner's place:
 * `{spaceId}`, `{tableId}`, … (see Place). A refusal must have no effect: no event may fire.
 */
export interface Scenario extends TestRequest {
  /** Begins with the rule that it shows: `[HTTP-11] refuses …`. */
  readonly title: string
  /** Who sends it, by their role in the place; nobody when not given. */
  readonly as?: Role | 'stranger'
  readonly status: number
  readonly code?: ErrorCode
  /** Texts that the body must have in it. */
  readonly contains?: readonly string[]
  /** Texts that the body must not have in it. */
  readonly lacks?: readonly string[]
  /** The names of the events that fire, in order; none when not given. */
  readonly events?: readonly string[]
  /** What the owner sends before it, to make what it is about. */
  readonly given?: OwnersStep
  /** What the owner sends after it, to see what came of it. */
  readonly effect?: OwnersStep
}

/** A request of the owner beside that of the scenario, and what must come of it. */
type OwnersStep = Omit<Scenario, 'title' | 'as' | 'given' | 'effect'>

/** Access tokens of the owner, which a scenario names like ids of the place. */
interface OwnerTokens {
  /** Has all scopes, and reaches another space alone. */
  readonly tokenElsewhere: string
  /** Reaches everything, and has no scope that an operation asks for. */
  readonly tokenWithoutScopes: string
}

/** Declares one test per scenario and storage. One that changes something has a place of its own. */
export function testScenarios(title: string, scenarios: readonly Scenario[]): void {
  describeOnEveryStorage(title, (storage) => {
    let world: HttpWorld
    let cast: Cast
    let unchanged: Place
    let tokens: OwnerTokens

    beforeAll(async () => {
      world = await openHttpWorld(storage)
      cast = await newCast(world)
      unchanged = await newPlace(cast)
      tokens = await makeTokens(cast.owner)
    })
    afterAll(() => world.close())

    for (const scenario of scenarios) {
      test(scenario.title, async () => {
        const isChange = scenario.status < 300 && scenario.method !== 'GET'
        const place = isChange ? await newPlace(cast) : unchanged
        const { as, given, effect } = scenario
        const names = { ...place, ...tokens }
        if (given) await play(world, { title: 'given', ...given }, names, cast.owner)
        await play(world, scenario, names, findPerson(cast, as))
        if (effect) await play(world, { title: 'effect', ...effect }, names, cast.owner)
      })
    }
  })
}

async function makeTokens({ api, spaceId }: Person): Promise<OwnerTokens> {
  const asked = { name: 'Program', expiredTime: '2999-12-31' }
  const { createToken } = api.accessTokens
  const all = { ...asked, scopes: [...actions], spaceIds: [spaceId] }
  const none = { ...asked, scopes: ['user|email_read' as const], hasFullAccess: true }
  return {
    tokenElsewhere: (await createToken(all)).token,
    tokenWithoutScopes: (await createToken(none)).token,
  }
}

function findPerson({ owner, byRole, stranger }: Cast, as: Scenario['as']): Person | undefined {
  if (as === undefined) return undefined
  return as === 'owner' ? owner : as === 'stranger' ? stranger : byRole[as]
}

async function play(
  world: HttpWorld,
  scenario: Scenario,
  places: Readonly<Record<string, string>>,
  person: Person | undefined,
): Promise<void> {
  const { body, given, effect, ...data } = scenario
  const isText = body !== undefined && !Buffer.isBuffer(body)
  const filled = fill({ ...data, ...(isText && { body }) }, places)
  const request = isText ? filled : { ...filled, body }
  const before = world.events.length
  const answer = person ? await world.sendAs(person, request) : await world.send(request)
  checkOutcome(filled, answer)
  expect(world.events.slice(before).map(({ name }) => name)).toEqual(scenario.events ?? [])
}

/** The scenario with the places' ids where it names them. */
function fill(scenario: Scenario, places: Readonly<Record<string, string>>): Scenario {
  const text = JSON.stringify(scenario)
  return JSON.parse(text.replace(/\{(\w+)\}/g, (whole, name) => places[name] ?? whole))
}

function checkOutcome(scenario: Scenario, answer: TestAnswer): void {
  const { status, text } = answer
  const code =
    status >= 400 && text !== '' ? (answer.json() as { code: ErrorCode }).code : undefined
  expect({ status, code }).toEqual({ status: scenario.status, code: scenario.code })
  for (const part of scenario.contains ?? []) expect(text).toContain(part)
  for (const part of scenario.lacks ?? []) expect(text).not.toContain(part)
}
