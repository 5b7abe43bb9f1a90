import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { LiveTable } from './live-table.ts';
import { PageLinks } from './page-links.ts';
import { ScaleCalculator } from './scale-calculator.ts';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-footer-before': () => h(PageLinks) }),
  enhanceApp: ({ app }) => {
    app.component('LiveTable', LiveTable);
    app.component('ScaleCalculator', ScaleCalculator);
  },
};

export default theme;
