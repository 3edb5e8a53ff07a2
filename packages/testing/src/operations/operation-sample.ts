import type { Action } from '@gateleg/domain/access/roles'
import type { UseCases } from '@gateleg/domain/use-cases'
import type { Cast, Place } from '../worlds/place.ts'

/** A call of an operation that succeeds for whoever may make it. */
export interface Sample {
  /** What the call is about, where an operation has several samples. */
  readonly about?: string
  readonly input: Readonly<Record<string, unknown>>
  /** Members of the input that depend on who calls, where these are not those of the owner. */
  readonly ownOf?: (userId: string) => Readonly<Record<string, unknown>>
  /** The actions that it takes, all of them, where they depend on the input. */
  readonly actions?: readonly Action[]
}

/** The features whose operations are about a space, a base, a table or a node. */
export type PlacedFeature =
  | 'spaces'
  | 'billing'
  | 'loginProviders'
  | 'bases'
  | 'archives'
  | 'collaborators'
  | 'invitationLinks'
  | 'tree'
  | 'dashboards'
  | 'tables'
  | 'pluginPanels'
  | 'contextMenus'
  | 'fields'
  | 'records'
  | 'history'
  | 'comments'
  | 'undo'
  | 'views'
  | 'pluginViews'
  | 'aggregations'
  | 'charts'
  | 'exports'
  | 'selections'
  | 'attachments'
  | 'imports'
  | 'trash'
  | 'workflows'

/** A sample of every operation of the feature, in a place with the cast; one that has none is a type error. */
export type SamplesIn<Feature extends PlacedFeature> = (
  place: Place,
  cast: Cast,
) => {
  readonly [Name in keyof UseCases[Feature]]: Sample | readonly Sample[]
}
