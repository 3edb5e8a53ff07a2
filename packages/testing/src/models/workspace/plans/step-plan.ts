import type { Api } from '@gateleg/domain/api'
import type { Expectation } from '../model-links.ts'
import type { ModelTable, WorkspaceModel } from '../workspace-model.ts'
import type { Place } from '../workspace-step.ts'

/** A record as the product answers it, its cells by field id. */
export interface AnsweredRecord {
  readonly id: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A step that means something in the workspace as it is. */
export interface StepPlan {
  readonly expected: Expectation
  /** The input of the call, for whoever reads of a difference. */
  readonly input: object
  /** Asks the product, and has the model follow once it has agreed. Gives the records that it answered. */
  run(): Promise<readonly AnsweredRecord[] | undefined>
}

/** What steps are planned in. */
export interface PlanContext {
  readonly api: Api
  readonly baseIds: readonly string[]
  readonly model: WorkspaceModel
}

/** The thing at the place, undefined when there is none at all. */
export function at<T>(things: readonly T[], place: Place): T | undefined {
  return things[place % things.length]
}

/** The table at the place. */
export function tableAt({ model }: PlanContext, place: Place): ModelTable | undefined {
  return at(model.tables, place)
}
