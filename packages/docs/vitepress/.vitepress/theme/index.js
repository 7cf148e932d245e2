import DefaultTheme from 'vitepress/theme';
import './listing.css';
import './readable.css';

export default DefaultTheme;
