import type { UseCaseName } from '@gateleg/domain/api'
import type { Call, Trace } from '@gateleg/domain/calls/call'
import { assert } from '@gateleg/domain/errors'
import { madeOnce } from '@gateleg/domain/structures/made-once'
import type { UseCase } from '@gateleg/domain/use-case'
import { useCaseNames } from '@gateleg/domain/use-case-names'
import type { LatePorts } from './wiring/late-ports.ts'

/**
 * Every use case as a call. Their code, two thirds of the packages', is loaded at the first call or by `load`, so that a
 * program which starts, or uses an engine for something else, doesn't wait for it.
 */
export class LateCalls {
  readonly #ports: LatePorts
  readonly #trace: Trace
  #made: ReadonlyMap<string, Call> | undefined
  readonly #make = madeOnce(() => this.#import())
  /** All calls, by `feature.name`. */
  readonly all: ReadonlyMap<UseCaseName, Call>
  /** The calls that need no account. */
  readonly public: ReadonlyMap<UseCaseName, Call>

  constructor(ports: LatePorts, trace: Trace) {
    this.#ports = ports
    this.#trace = trace
    this.all = new Map(useCaseNames.map(({ name }) => [name, this.#callOf(name)]))
    this.public = new Map(
      useCaseNames.flatMap(({ name, isPublic }) =>
        isPublic ? [[name, this.#callOf(name)] as const] : [],
      ),
    )
  }

  /** Loads the code of all calls, unless that is done or under way. */
  async load(): Promise<void> {
    await this.#make()
  }

  #callOf(name: UseCaseName): Call {
    return async (actor, input, options) => {
      const call = (this.#made ?? (await this.#make())).get(name)
      assert(call, `the use case ${name} exists`)
      return call(actor, input, options)
    }
  }

  async #import(): Promise<ReadonlyMap<string, Call>> {
    const [ports, { toCall }, { useCases }] = await Promise.all([
      this.#ports.load(),
      import('@gateleg/domain/calls/call'),
      import('@gateleg/domain/use-cases'),
    ])
    const made = Object.entries(useCases).flatMap(([feature, byName]) =>
      Object.entries<UseCase>(byName).map(([name, useCase]) => {
        const path = `${feature}.${name}`
        return [path, toCall(path, useCase, ports, this.#trace)] as const
      }),
    )
    this.#made = new Map(made)
    return this.#made
  }
}
