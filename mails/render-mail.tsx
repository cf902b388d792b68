import { brand } from '../brand/brand.ts';
import tokens from '../brand/tokens.css?raw';
import type { RenderMail } from '../contract/mails.ts';
import { openMailRenderer } from './mail-renderer.tsx';

export const renderMail: RenderMail = openMailRenderer(brand, tokens);
