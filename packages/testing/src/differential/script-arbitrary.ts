import type { UseCaseName } from '@gateleg/domain/api'
import type { UseCase } from '@gateleg/domain/use-case'
import { type UseCases, useCases } from '@gateleg/domain/use-cases'
import fc from 'fast-check'
import { oddValue } from '../scripts/arguments.ts'
import { administrator, type Script, type Step } from '../scripts/script.ts'
import type { ScriptedOperation } from '../scripts/scripted-operation.ts'
import { scriptedOperations } from './scripted-operations.ts'

/** Mostly the owner of the first base; see `Step`. */
const actor = fc.oneof(
  { weight: 30, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 2, arbitrary: fc.constant(2) },
  { weight: 3, arbitrary: fc.integer({ min: 3, max: 6 }) },
)

/** What few steps have besides: conditions, keys for repeating, windows, wrong members. */
const extras = fc.oneof(
  { weight: 25, arbitrary: fc.constant({}) },
  { weight: 15, arbitrary: fc.constant({ windowId: 'window' }) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 })
      .map((ifMatch) => ({ ifMatch })),
  },
  {
    weight: 2,
    arbitrary: fc.nat({ max: 2 }).map((n) => ({ idempotencyKey: `key-${n}` })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ member: fc.nat({ max: 5 }), value: oddValue })
      .map((spoiling) => ({ spoiling })),
  },
)

/** Steps at one moment are in an order all the same; long pauses outlast locks and sessions. */
const pause = fc.oneof(
  { weight: 10, arbitrary: fc.constant({}) },
  { weight: 10, arbitrary: fc.constantFrom(1, 10, 123, 1_000).map((pauseMs) => ({ pauseMs })) },
  { weight: 1, arbitrary: fc.constantFrom(61_000, 90_000_000).map((pauseMs) => ({ pauseMs })) },
)

function actorFor(operation: UseCaseName): fc.Arbitrary<number> {
  const [feature = '', name = ''] = operation.split('.')
  const byName = useCases[feature as keyof UseCases] as Record<string, UseCase>
  const isForAdministrators = byName[name]?.access.requirement.on === 'instance'
  return isForAdministrators ? fc.oneof(fc.constant(administrator), actor) : actor
}

function stepOf([operation, { args }]: readonly [UseCaseName, ScriptedOperation]) {
  return fc.tuple(actorFor(operation), args, extras, pause).map(
    ([actor, args, extra, pause]): Omit<Step, 'place'> => ({
      operation,
      actor,
      args,
      ...extra,
      ...pause,
    }),
  )
}

const step = fc.oneof(
  ...[...scriptedOperations].map((entry) => ({
    weight: Math.round(entry[1].weight * 10),
    arbitrary: stepOf(entry),
  })),
)

/**
 * Scripts of so many steps. A failing one shrinks by steps that fall away, each in its turn; its length is
 * what it was until then, because a list of any length is a short one as a rule.
 */
export function scriptArbitrary(steps: number): fc.Arbitrary<Script> {
  return fc
    .array(fc.option(step, { nil: null, freq: 1_000 }), {
      minLength: steps,
      maxLength: steps,
    })
    .map((list) => list.flatMap((one, place) => (one ? [{ place, ...one }] : [])))
}
