import { type CSSProperties, createElement, type ReactElement, useEffect, useRef } from 'react';
import './index.ts';
import type { GifPicker as Element, GifPick } from './picker.ts';
import type { Topic } from './topics.ts';

export interface GifPickerProps {
  /** Address of a Zoetrope service. */
  service: string;
  /** What somebody wants in a note. */
  onPick: (pick: GifPick) => void;
  /** Somebody wants the picker away. */
  onClose?: (() => void) | undefined;
  layout?: 'columns' | 'rows' | undefined;
  theme?: 'light' | 'dark' | undefined;
  /** Chips instead of those of the hour. */
  topics?: readonly Topic[] | undefined;
  /** Of the interface. */
  lang?: string | undefined;
  className?: string | undefined;
  style?: CSSProperties | undefined;
}

/** `<gif-picker>` for React 17 and later. On a server it is an empty element. */
export function GifPicker({ onPick, onClose, topics, className, ...attributes }: GifPickerProps): ReactElement {
  const element = useRef<Element>(null);
  useEffect(() => {
    const picker = element.current;
    const pick = (event: Event) => onPick((event as CustomEvent<GifPick>).detail);
    const close = () => onClose?.();
    picker?.addEventListener('gif-pick', pick);
    picker?.addEventListener('gif-close', close);
    return () => {
      picker?.removeEventListener('gif-pick', pick);
      picker?.removeEventListener('gif-close', close);
    };
  }, [onPick, onClose]);
  // Before React 19, elements of one's own were given attributes alone.
  useEffect(() => {
    if (element.current !== null) element.current.topics = topics;
  }, [topics]);
  return createElement('gif-picker', { ...attributes, class: className, ref: element });
}

export type { GifPick, Topic };
