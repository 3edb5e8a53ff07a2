import type { UseCase } from '@gateleg/domain/use-case'
import { useCases } from '@gateleg/domain/use-cases'

/** `feature.name` and the use case, for all there are. */
export function allUseCases(): readonly (readonly [name: string, useCase: UseCase])[] {
  return Object.entries(useCases).flatMap(([feature, byName]) =>
    Object.entries(byName).map(
      ([name, useCase]) => [`${feature}.${name}`, useCase as UseCase] as const,
    ),
  )
}
